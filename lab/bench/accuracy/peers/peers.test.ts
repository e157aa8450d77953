import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { describe, expect, it } from "vitest";
import { pearson } from "@stipple/tissue/metrics/correlation";
import type { AnalyzedTissue, FoundCellPrediction } from "./analyzed-tissue.ts";
import { istarLike } from "./istar-like.ts";
import { ridge } from "./ridge.ts";
import type { Superpixels } from "./superpixels.ts";
import { thorLike } from "./thor-like.ts";

const SIDE = 24;
const N = SIDE * SIDE;

/**
 * Cells on a 10 px lattice with two random looks; gene 0 belongs to one look, gene 1 to the other; spots of 2 ×
 * 2 cells.
 */
function twoLooks(): { tissue: AnalyzedTissue; look: number[] } {
  const random = new Random(4);
  const look = Array.from({ length: N }, () => (random.uniform() < 0.5 ? 0 : 1));
  const perRow = SIDE / 2;
  const nSpots = perRow * perRow;
  const members = Array.from({ length: nSpots }, (_, spot) => {
    const at = 2 * Math.floor(spot / perRow) * SIDE + 2 * (spot % perRow);
    return [at, at + 1, at + SIDE, at + SIDE + 1];
  });
  const counts = members.map((cells) => {
    const ones = cells.reduce((sum, cell) => sum + look[cell], 0);
    return [20 * (4 - ones), 20 * ones];
  });
  return {
    look,
    tissue: {
      cellsXy: {
        nRows: N,
        nCols: 2,
        data: Float32Array.from({ length: 2 * N }, (_, i) => {
          const cell = i >> 1;
          return 5 + 10 * (i % 2 === 0 ? cell % SIDE : Math.floor(cell / SIDE));
        }),
      },
      features: {
        nRows: N,
        nCols: 2,
        data: Float32Array.from({ length: 2 * N }, (_, i) =>
          i % 2 === 0 ? look[i >> 1] + 0.05 * random.normal() : random.normal() * 0.05,
        ),
      },
      spotOf: Int32Array.from(
        { length: N },
        (_, cell) =>
          Math.floor(Math.floor(cell / SIDE) / 2) * perRow + Math.floor((cell % SIDE) / 2),
      ),
      capture: dense(
        members.map((cells) => cells.map((cell) => [cell, 1] as const)),
        N,
      ),
      counts: dense(
        counts.map((row) => row.map((value, gene) => [gene, value] as const)),
        2,
      ),
      spotsXy: Float64Array.from({ length: 2 * nSpots }, (_, i) => {
        const spot = i >> 1;
        return 10 + 20 * (i % 2 === 0 ? spot % perRow : Math.floor(spot / perRow));
      }),
      spotRadiusPx: 10,
    },
  };
}

function dense(rows: (readonly [column: number, value: number])[][], nCols: number): SparseMatrix {
  return {
    nRows: rows.length,
    nCols,
    indptr: Uint32Array.from([0, ...rows.map(() => 0)], (_, i) =>
      rows.slice(0, i).reduce((sum, row) => sum + row.length, 0),
    ),
    indices: Uint32Array.from(rows.flat(), ([column]) => column),
    data: Float32Array.from(rows.flat(), ([, value]) => value),
  };
}

/** Correlation between gene 1 and the look over the cells. */
function agreement(predict: FoundCellPrediction, look: readonly number[]): number {
  const said = look.map((_, cell) => {
    const row = new Float32Array(2);
    predict(cell, row);
    return row[1];
  });
  return pearson(said, look);
}

describe("peer ideas distinguish two looks that share every spot", () => {
  const { tissue, look } = twoLooks();

  it("ridge on cell features", () => {
    expect(agreement(ridge(tissue), look)).toBeGreaterThan(0.95);
  });

  it("diffusion among similar cells, which keeps the starting values when all cells look alike", () => {
    expect(agreement(thorLike(tissue), look)).toBeGreaterThan(0.3);
    const even = {
      ...tissue,
      counts: { ...tissue.counts, data: tissue.counts.data.map(() => 40) },
    };
    const row = new Float32Array(2);
    thorLike(even)(7, row);
    expect(row[0]).toBeCloseTo(10, 3);
  });

  it("a network on superpixels", () => {
    const grid: Superpixels = {
      nX: SIDE,
      nY: SIDE,
      sidePx: 10,
      nFeatures: 1,
      features: Float32Array.from(look, (value) => 2 * value - 1),
    };
    expect(agreement(istarLike(tissue, grid, 1), look)).toBeGreaterThan(0.95);
  });
});
