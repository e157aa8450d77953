import { expect, it } from "vitest";
import { determinant, fitAffine, moved, residual, type Affine } from "./affine.ts";

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
