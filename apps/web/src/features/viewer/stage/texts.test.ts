import { lengthText } from "@stipple/viewer/geometry";
import { expect, it } from "vitest";
import { stageTexts } from "./texts.ts";

it("describes what a stage shows", () => {
  expect(lengthText(1234)).toBe("1.2 mm");
  expect(lengthText(348)).toBe("350 µm");
  // What rounding leaves of landmarks that lie on each other.
  expect(lengthText(3.3e-14)).toBe("0 µm");
  const all = {
    view: "tissue",
    inView: 2613,
    drawn: 2613,
    by: "cell type",
    wide: "1.2 mm",
    outlined: false,
    swipe: null,
  } as const;
  expect(stageTexts.summary(all)).toBe("Tissue, 2,613 cells colored by cell type, 1.2 mm wide.");
  expect(stageTexts.summary({ ...all, inView: 40, outlined: true })).toBe(
    "Tissue, 40 of 2,613 cells in view colored by cell type, 1.2 mm wide, drawn as outlines.",
  );
});
