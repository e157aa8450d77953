import { expect, it } from "vitest";
import { figureParts } from "./use-result-image.ts";

it("reads where a figure shows what, and nothing from anything else", () => {
  expect(figureParts("0.1 0.2 0.8 0.5 0.1 0.8 0.8 0.2")).toEqual({
    tissue: { left: 0.1, top: 0.2, width: 0.8, height: 0.5 },
    key: { left: 0.1, top: 0.8, width: 0.8, height: 0.2 },
  });
  for (const header of [null, "", "0.1 0.2 0.8 0.5", "a b c d e f g h"]) {
    expect(figureParts(header)).toBeUndefined();
  }
});
