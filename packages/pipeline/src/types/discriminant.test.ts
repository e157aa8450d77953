import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { membership, type Gate } from "../model/prototypes.ts";
import { openDiscriminant, weighByLooks } from "./discriminant.ts";

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

/** Posteriors of the two types and of none: sure and right, or, for a share of the cells, unsure and right by chance. */
function posteriorsOf(unsure: number): Float32Array {
  const random = new Random(9);
  const posterior = new Float32Array(3 * CELLS);
  typeOf.forEach((type, cell) => {
    const isUnsure = random.uniform() < unsure;
    const told = isUnsure && random.uniform() < 0.5 ? 1 - type : type;
    const likely = isUnsure ? 0.52 : 0.97;
    const other = 0.98 - likely;
    posterior.set([told === 0 ? likely : other, told === 0 ? other : likely, 0.02], 3 * cell);
  });
  return posterior;
}

const shareRight = (posterior: Float32Array): number =>
  typeOf.filter((type, cell) => posterior[3 * cell + type] > 0.5).length / CELLS;

it("weighs types by looks where types differ in look", () => {
  const posterior = posteriorsOf(0.3);
  expect(shareRight(posterior)).toBeLessThan(0.87);
  weighByLooks(posterior, phi);
  expect(shareRight(posterior)).toBeGreaterThan(0.98);
  for (let cell = 0; cell < CELLS; cell++) {
    const sum = posterior[3 * cell] + posterior[3 * cell + 1] + posterior[3 * cell + 2];
    expect(sum).toBeCloseTo(1, 4);
  }
});

it("trusts looks as far as they predict types, even where few cells shrink their means", () => {
  const [few, nCols] = [160, 61];
  const random = new Random(11);
  const data = new Float32Array(few * nCols).fill(1);
  const posterior = new Float32Array(3 * few);
  for (let cell = 0; cell < few; cell++) {
    const side = typeOf[cell] === 0 ? 1 : -1;
    for (let p = 1; p < nCols; p++)
      data[cell * nCols + p] = random.normal() + (p <= 4 ? 0.6 * side : 0);
    // Counts tell three quarters of the cells, and nothing of the others.
    const own = cell % 16 < 4 ? [0.25, 0.73] : typeOf[cell] === 0 ? [0.97, 0.01] : [0.01, 0.97];
    posterior.set([...own, 0.02], 3 * cell);
  }
  weighByLooks(posterior, { data, nCols });
  const untold = Array.from({ length: few }, (_, cell) => cell).filter((cell) => cell % 16 < 4);
  const meanLog = untold.reduce(
    (sum, cell) => sum + Math.log(posterior[3 * cell + typeOf[cell]]),
    0,
  );
  // −0.46 with a power of 1, and −0.37 with the fitted one.
  expect(meanLog / untold.length).toBeGreaterThan(-0.42);
});

it("hardly changes types that look alike", () => {
  const random = new Random(10);
  const alike = {
    ...phi,
    data: phi.data.map((_, i) => (i % phi.nCols === 0 ? 1 : random.normal())),
  };
  const posterior = posteriorsOf(0.3);
  const before = posterior.slice();
  weighByLooks(posterior, alike);
  const changes = posterior.map((value, i) => Math.abs(value - before[i]));
  expect(changes.reduce((a, b) => Math.max(a, b))).toBeLessThan(0.2);
  expect(changes.reduce((a, b) => a + b) / changes.length).toBeLessThan(0.02);
});
