import { expect, it } from "vitest";
import { normalUpperTail } from "@stipple/numerics/normal-tail";
import { Random } from "@stipple/numerics/random";
import { transpose } from "@stipple/numerics/sparse";
import { sparseOf } from "../../../store/testing/draw-sample.ts";
import { rankSums, sortedEntries } from "./rank-sum.ts";
import { compositionOf, testGroups, unitShares, unitsOf, type CapturedSpots } from "./spot-test.ts";

const [N_SPOTS, PER_SPOT, N_GENES] = [60, 10, 400];
const N_CELLS = N_SPOTS * PER_SPOT;

/** Genes vary from spot to spot independently of the groups; each spot has its own share of group 0. */
function tissue(effect: number) {
  const random = new Random(5);
  const groupOf = new Int32Array(N_CELLS);
  const rows: number[][][] = Array.from({ length: N_CELLS }, () => []);
  const ofSpots: number[][][] = Array.from({ length: N_SPOTS }, () => []);
  for (let s = 0; s < N_SPOTS; s++) {
    const share = random.uniform();
    for (let c = s * PER_SPOT; c < (s + 1) * PER_SPOT; c++)
      groupOf[c] = random.uniform() < share ? 0 : 1;
    for (let gene = 0; gene < N_GENES; gene++) {
      const level = 3 * Math.exp(0.8 * random.normal());
      let sum = 0;
      for (let c = s * PER_SPOT; c < (s + 1) * PER_SPOT; c++) {
        const count = random.poisson(level * (groupOf[c] === 0 ? effect : 1));
        if (count > 0) rows[c].push([gene, count]);
        sum += count;
      }
      ofSpots[s].push([gene, sum]);
    }
  }
  const spots: CapturedSpots = {
    overlap: sparseOf(
      Array.from({ length: N_SPOTS }, (_, s) =>
        Array.from({ length: PER_SPOT }, (_, i) => [s * PER_SPOT + i, 1]),
      ),
      N_CELLS,
    ),
    byGene: transpose(sparseOf(ofSpots, N_GENES)),
    xy: { nRows: N_SPOTS, nCols: 2, data: new Float64Array(2 * N_SPOTS) },
    scale: { spotShape: "disc", micronsPerPixel: 1 },
  };
  return { spots, groupOf, byGene: transpose(sparseOf(rows, N_GENES)) };
}

function share(p: readonly number[]): number {
  return p.filter((value) => value < 0.05).length / p.length;
}

function overSpots(spots: CapturedSpots, groupOf: Int32Array): number[] {
  const units = unitsOf(spots);
  const composition = compositionOf(spots, units, groupOf, 2);
  return Array.from(
    { length: N_GENES },
    (_, gene) => testGroups(unitShares(spots, units, gene), composition).p[0],
  );
}

it("finds 5% of unrelated genes at p < .05, where treating cells as replicates finds many more", () => {
  const { spots, groupOf, byGene } = tissue(1);
  const p = overSpots(spots, groupOf);
  expect(share(p)).toBeGreaterThan(0.025);
  expect(share(p)).toBeLessThan(0.08);
  const sizes = Float64Array.of(0, 0);
  for (const group of groupOf) sizes[group] += 1;
  const overCells = p.map((_, gene) => {
    const rows = byGene.indices.slice(byGene.indptr[gene], byGene.indptr[gene + 1]);
    const values = byGene.data.slice(byGene.indptr[gene], byGene.indptr[gene + 1]);
    const { auc } = rankSums(sortedEntries(rows, values), rows, values, { groupOf, sizes });
    const error = Math.sqrt((groupOf.length + 1) / (12 * sizes[0] * sizes[1]));
    return 2 * normalUpperTail(Math.abs(auc[0] - 0.5) / error);
  });
  expect(share(overCells)).toBeGreaterThan(0.2);
});

it("ignores which cell of a spot has which label: only compositions count", () => {
  const { spots, groupOf } = tissue(1);
  const random = new Random(9);
  const permuted = groupOf.slice();
  for (let s = 0; s < N_SPOTS; s++) {
    const cells = permuted.slice(s * PER_SPOT, (s + 1) * PER_SPOT);
    random.shuffle(cells);
    permuted.set(cells, s * PER_SPOT);
  }
  expect(permuted).not.toEqual(groupOf);
  const before = overSpots(spots, groupOf);
  overSpots(spots, permuted).forEach((p, gene) => expect(p).toBeCloseTo(before[gene], 9));
});

it("merges bins into 100 µm squares, and tests nothing with fewer than ten squares", () => {
  const { spots, groupOf } = tissue(1);
  // Spots 30 µm apart in a row: 3 or 4 per square, 18 squares of 100 µm.
  const xy = {
    ...spots.xy,
    data: Float64Array.from({ length: 2 * N_SPOTS }, (_, i) => (i % 2 ? 0 : 15 * i)),
  };
  const joined = (micronsPerPixel: number) => ({
    ...spots,
    xy,
    scale: { spotShape: "square" as const, micronsPerPixel },
  });
  expect(unitsOf(joined(1)).totals).toHaveLength(18);
  expect(overSpots(joined(0.1), groupOf).every((p) => p === 1)).toBe(true);
});
