import { expect, it } from "vitest";
import { isComplete } from "./is-complete.ts";

it("takes step 7 with files for results, and an answer without its list for none", () => {
  expect(isComplete({ output_files: { step_7: ["step7_output/done.txt"] } })).toBe(true);
  expect(isComplete({ output_files: { step_6: ["a"], step_7: [] } })).toBe(false);
  expect(isComplete({ output_files: { step_6: ["a"] } })).toBe(false);
  expect(isComplete({})).toBe(false);
  expect(isComplete(undefined)).toBe(false);
});
