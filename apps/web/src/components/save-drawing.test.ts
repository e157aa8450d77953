import { expect, it } from "vitest";
import { fileName } from "./save-drawing.ts";

it("makes names valid on every file system", () => {
  expect(fileName("Brain, slice 3/4", "H2-Ab1", "tissue")).toBe("Brain-slice-3-4-H2-Ab1-tissue");
  expect(fileName("../..", "Färbung: «A»")).toBe("Färbung-A");
});
