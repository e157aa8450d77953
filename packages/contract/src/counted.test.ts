import { expect, it } from "vitest";
import { counted } from "./counted.ts";

it("puts the noun of a count in the singular for one alone", () => {
  expect([0, 1, 2, 1269].map((count) => counted(count, "cell"))).toEqual([
    "0 cells",
    "1 cell",
    "2 cells",
    "1,269 cells",
  ]);
  expect(counted(1, "nucleus", "nuclei")).toBe("1 nucleus");
  expect(counted(2, "nucleus", "nuclei")).toBe("2 nuclei");
});
