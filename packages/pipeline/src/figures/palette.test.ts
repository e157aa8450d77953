import { expect, it } from "vitest";
import { categoryColors, viridis } from "./palette.ts";

it("begins with Okabe and Ito's colours and never repeats one", () => {
  const colors = categoryColors(40);
  expect(colors.slice(0, 2)).toEqual(["#E69F00", "#56B4E9"]);
  expect(new Set(colors).size).toBe(40);
  expect(categoryColors(12)).toEqual(colors.slice(0, 12));
});

it("runs viridis from violet to yellow", () => {
  expect(viridis(0)).toEqual([0x44, 0x01, 0x54]);
  expect(viridis(1)).toEqual([0xfd, 0xe7, 0x25]);
  expect(viridis(NaN).every(Number.isFinite)).toBe(true);
});
