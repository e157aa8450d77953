import { expect, it } from "vitest";
import { fileName } from "./save-drawing.ts";

it("makes names that every file system takes", () => {
  expect(fileName("Brain, slice 3/4", "H2-Ab1", "tissue")).toBe("Brain-slice-3-4-H2-Ab1-tissue");
  expect(fileName("../..", "Färbung: «A»")).toBe("Färbung-A");
});
