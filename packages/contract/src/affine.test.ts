import { expect, it } from "vitest";
import { determinant, fitAffine, fitSection, moved, residual, type Affine } from "./affine.ts";

const MAP: Affine = [0.9, -0.2, 5000, 0.25, 1.1, -300];
const FROM = [20_000, 100, 20_500, 300, 19_000, 4000, 25_000, 2500];
const TO = [0, 2, 4, 6].flatMap((i) => moved(MAP, FROM[i]!, FROM[i + 1]!));

it("is found from points and where they belong", () => {
  const found = fitAffine(FROM, TO)!;
  found.forEach((value, i) => expect(value).toBeCloseTo(MAP[i]!, 6));
  expect(residual(found, FROM, TO)).toBeLessThan(1e-6);
  expect(determinant(found)).toBeCloseTo(0.9 * 1.1 + 0.2 * 0.25, 8);
});

it("has the residual of points that do not fit", () => {
  const off = [...TO];
  off[0]! += 8;
  const found = fitAffine(FROM, off)!;
  expect(residual(found, FROM, off)).toBeGreaterThan(0.1);
  expect(residual(found, FROM, off)).toBeLessThan(8);
});

it("needs three points that do not lie on a line", () => {
  expect(fitAffine(FROM.slice(0, 4), TO.slice(0, 4))).toBeNull();
  expect(fitAffine([0, 0, 1, 1, 2, 2, 3, 3], TO)).toBeNull();
});

it("needs points that do not belong on a line or at one place either", () => {
  expect(fitAffine(FROM, [0, 0, 1, 1, 2, 2, 3, 3])).toBeNull();
  expect(fitAffine(FROM, Array<number>(8).fill(5))).toBeNull();
  expect(fitAffine(FROM, TO.with(3, 1e308))).toBeNull();
  // Corners that belong to corners crosswise.
  expect(fitAffine([0, 0, 9, 0, 9, 9, 0, 9], [0, 0, 9, 9, 9, 0, 0, 9])).toBeNull();
});

it("turns, mirrors, and scales a section by few landmarks, which an affine map would bend to", () => {
  for (const side of [1, -1]) {
    const turned: Affine = [0.6, -0.8 * side, 40, 0.8, 0.6 * side, -7];
    const xy = [0, 0, 100, 0, 0, 100, 80, 90];
    const exact = [0, 2, 4, 6].flatMap((i) => moved(turned, xy[i]!, xy[i + 1]!));
    fitSection(xy, exact)!.forEach((value, i) => expect(value).toBeCloseTo(turned[i]!, 8));
    const [u, v] = moved(fitSection(xy, exact.with(7, exact[7]! + 8))!, 50, 50);
    expect(Math.hypot(u - moved(turned, 50, 50)[0], v - moved(turned, 50, 50)[1])).toBeLessThan(4);
  }
  const [from, to] = [FROM, TO].map((xy) => [0, 1, 2].flatMap((n) => xy.map((at) => at + n * 1e4)));
  expect(fitSection(from!, to!)).toEqual(fitAffine(from!, to!));
  expect(residual(fitSection(FROM, TO)!, FROM, TO)).toBeGreaterThan(1);
  expect(fitSection([0, 0, 1, 1, 2, 2, 3, 3], TO)).toBeNull();
});
