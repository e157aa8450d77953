import { readFileSync } from "node:fs";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import type { CapturedSpots } from "../../cell-markers/spot-test.ts";
import { testedCells, type TestedCells } from "../tested-cells.ts";
import { sparseOf } from "../../../../store/testing/draw-sample.ts";

/**
 * Results of squidpy and scanpy (versions included) on 220 cells in the plane, three types, and twelve genes:
 * one follows position, two follow the types, one is a wave, one depends on depth alone, and one has no counts.
 * Graph: Delaunay within 60 units.
 */
export interface Reference {
  versions: Record<string, string>;
  xy: number[];
  types: number[];
  counts: number[][];
  edges: [number, number][];
  moran: Record<
    "I" | "pval_norm" | "var_norm" | "pval_sim" | "pval_z_sim" | "var_sim" | "pval_norm_fdr_bh",
    number[]
  >;
  nhood: { zscore: number[]; count: number[] };
  co_occurrence: { interval: number[]; occ: number[] };
  wilcoxon: Record<
    "A" | "B" | "C",
    Record<"scores" | "pvals" | "pvals_adj" | "logfoldchanges", number[]>
  >;
}

export interface ReferenceCase {
  expected: Reference;
  counts: SparseMatrix;
  tested: TestedCells;
  typeOf: Int32Array;
  typeNames: string[];
  geneNames: string[];
  graph: SparseMatrix;
}

export function readReference(): ReferenceCase {
  const expected = JSON.parse(
    readFileSync(new URL("../reference/squidpy-scanpy.json", import.meta.url), "utf8"),
  ) as Reference;
  const counts = sparseOf(
    expected.counts.map((row) => row.flatMap((value, gene) => (value ? [[gene, value]] : []))),
    expected.counts[0].length,
  );
  const neighbors = expected.counts.map((): number[][] => []);
  for (const [a, b] of expected.edges) {
    neighbors[a].push([b, 1]);
    neighbors[b].push([a, 1]);
  }
  return {
    expected,
    counts,
    tested: testedCells(rowSums(counts), new Uint8Array(counts.nRows).fill(1)),
    typeOf: Int32Array.from(expected.types),
    typeNames: ["A", "B", "C"],
    geneNames: expected.counts[0].map((_, gene) => `g${gene}`),
    graph: sparseOf(
      neighbors.map((row) => row.sort((a, b) => a[0] - b[0])),
      counts.nRows,
    ),
  };
}

/** Every cell is its own spot, so the correlation over spots equals the rank-sum test over cells. */
export function cellsAsSpots(counts: SparseMatrix): CapturedSpots {
  const n = counts.nRows;
  return {
    overlap: sparseOf(
      Array.from({ length: n }, (_, cell) => [[cell, 1]]),
      n,
    ),
    byGene: transpose(counts),
    xy: { nRows: n, nCols: 2, data: new Float64Array(2 * n) },
    scale: { spotShape: "disc", micronsPerPixel: 1 },
  };
}

/**
 * Converts z of a rank sum over n cells to t of the rank correlation with group membership: ρ = z / √(n − 1).
 */
export function asT(z: number, n: number): number {
  const rho = z / Math.sqrt(n - 1);
  return rho * Math.sqrt((n - 2) / (1 - rho * rho));
}

export const QUIET = {
  seed: 3,
  signal: new AbortController().signal,
  progress: (): void => undefined,
};
