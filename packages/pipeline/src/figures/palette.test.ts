import { expect, it } from "vitest";
import { categoryColors, MAX_COLORS, parseColor, spotColors, viridis } from "./palette.ts";
import { ciede2000, labSeenBy, VISIONS } from "./testing/color-vision.ts";

it("begins with Okabe and Ito's colors and never repeats one", () => {
  const colors = categoryColors(40);
  expect(colors.slice(0, 2)).toEqual(["#E69F00", "#56B4E9"]);
  expect(new Set(colors).size).toBe(40);
  expect(categoryColors(12)).toEqual(colors.slice(0, 12));
});

it("measures color differences in agreement with published test data", () => {
  // Sharma, Wu & Dalal (2005), pairs 1, 7 and 25.
  expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(ciede2000([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
  expect(ciede2000([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(
    1.2644,
    4,
  );
});

it("colors clusters of spots unlike groups of cells", () => {
  const labsOf = (colors: string[]) => colors.map((hex) => labSeenBy("usual", parseColor(hex)));
  const ofCells = labsOf([...categoryColors(MAX_COLORS), "#C9D1DA"]);
  const closest = labsOf(spotColors(MAX_COLORS)).flatMap((one) =>
    ofCells.map((other) => ciede2000(one, other)),
  );
  expect(Math.min(...closest)).toBeGreaterThanOrEqual(10);
  expect(new Set([...spotColors(40), ...categoryColors(40)]).size).toBe(80);
});

it.each(
  VISIONS.flatMap((vision) => [[vision, categoryColors] as const, [vision, spotColors] as const]),
)("keeps colors apart for %s vision", (vision, colorsOf) => {
  const colors = [...colorsOf(MAX_COLORS), "#C9D1DA"];
  const labs = colors.map((color) => labSeenBy(vision, parseColor(color)));
  const closest = Math.min(
    ...labs.flatMap((one, i) => labs.slice(0, i).map((other) => ciede2000(one, other))),
  );
  expect(closest).toBeGreaterThanOrEqual(10);
});

it("runs from violet to yellow in viridis", () => {
  expect(viridis(0)).toEqual([0x44, 0x01, 0x54]);
  expect(viridis(1)).toEqual([0xfd, 0xe7, 0x25]);
  expect(viridis(NaN).every(Number.isFinite)).toBe(true);
});
