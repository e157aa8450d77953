import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { membership, type Gate } from "../model/prototypes.ts";
import { openDiscriminant } from "./discriminant.ts";

const CELLS = 4000;
const FEATURES = 20;
/** Half the distance between the two types' means along the first feature. */
const APART = 3;

/** Cells of two types that differ in the first feature; a quarter are of the first type. */
function cells(): { phi: { data: Float32Array; nCols: number }; typeOf: Uint8Array } {
  const random = new Random(7);
  const nCols = FEATURES + 1;
  const data = new Float32Array(CELLS * nCols);
  const typeOf = Uint8Array.from({ length: CELLS }, (_, cell) => (cell % 4 === 0 ? 0 : 1));
  typeOf.forEach((type, cell) => {
    data[cell * nCols] = 1;
    for (let p = 1; p < nCols; p++) data[cell * nCols + p] = random.normal();
    data[cell * nCols + 1] += type === 0 ? APART : -APART;
  });
  return { phi: { data, nCols }, typeOf };
}

const { phi, typeOf } = cells();

/** A gate with given weights (constant, then features) for the first type and zero weights for the second. */
function gateWith(weights: readonly number[]): Gate {
  return { weights: Float64Array.from(weights.flatMap((weight) => [weight, 0])), k: 2 };
}

function right(gate: Gate): number {
  const members = membership(phi, gate);
  return typeOf.filter((type, cell) => members[2 * cell] > 0.5 === (type === 0)).length / CELLS;
}

it("keeps weights that separate the cells and drops those that are noise", () => {
  const random = new Random(8);
  const noise = Array.from({ length: FEATURES - 1 }, () => 0.7 * random.normal());
  const noisy = gateWith([-1, 1.5, ...noise]);
  expect(right(noisy)).toBeLessThan(0.9);
  expect(right(openDiscriminant(phi)(noisy))).toBeGreaterThan(0.94);
});

it("equals the analytic discriminant when the gate separates the types", () => {
  const known = gateWith([-Math.log(3), 2 * APART, ...new Array<number>(FEATURES - 1).fill(0)]);
  const { weights, k } = openDiscriminant(phi)(known);
  const slope = (p: number): number => weights[p * k] - weights[p * k + 1];
  // Means ±3 and a variance of 1: log odds of 6x − log 3.
  expect(Math.abs(slope(0) + Math.log(3))).toBeLessThan(0.3);
  expect(Math.abs(slope(1) / (2 * APART) - 1)).toBeLessThan(0.1);
  for (let p = 2; p <= FEATURES; p++) expect(Math.abs(slope(p))).toBeLessThan(0.3);
});
