import { expect, it } from "vitest";
import { scaleBarLength } from "./scale-bar.ts";

it("uses the longest round length within a quarter of the width", () => {
  expect(scaleBarLength(6500)).toBe(1000);
  expect(scaleBarLength(2100)).toBe(500);
  expect(scaleBarLength(400)).toBe(100);
  expect(scaleBarLength(90)).toBe(20);
});
