import type { SparseMatrix } from "@stipple/numerics/matrices";
import { FINE_BIN_UM } from "@stipple/pipeline/internal/readers/hd-visium/read-fine-bins";
import type { SampleFiles } from "@stipple/pipeline/samples";
import { readResult } from "@stipple/pipeline/results";
import type { BinGrid } from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/bin-grid";
import {
  binOwners,
  type BinOwners,
} from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/bin-owners";
import { shareFineBins } from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/share-fine-bins";
import { readFineCells } from "./fine-cells.ts";

/** Counts of the cells found by steps 0–2, by method of assigning 2 µm bins to them. */
export async function assignments(
  results: string,
  fineBins: NonNullable<SampleFiles["fineBins"]>,
  reaches: readonly number[] = [0, 6, 10, 16],
): Promise<Record<string, SparseMatrix>> {
  const { grid, cells } = await readFineCells(results);
  const nuclei = binOwners(grid, { ...cells, outlines: cells.nuclei }, 0);
  const ways: Record<string, BinOwners> = {
    ...Object.fromEntries(
      reaches.map((um) => [
        `2 µm, outlines, then nearest nucleus within ${um} µm`,
        binOwners(grid, cells, um / FINE_BIN_UM),
      ]),
    ),
    "2 µm, nuclei alone": nuclei,
    "2 µm, nuclei and 2 bins around (bin2cell)": expand(grid, nuclei, 2),
    "2 µm, nuclei and 8 µm around (Space Ranger)": expand(grid, nuclei, 8 / FINE_BIN_UM),
  };
  const genes = await readResult(results, "genes/id");
  const totals = await readResult(results, "spots/total_counts");
  const counts: Record<string, SparseMatrix> = {};
  for (const [way, owners] of Object.entries(ways)) {
    const shared = await shareFineBins({
      path: fineBins,
      grid,
      owners,
      nCells: cells.may.length,
      genes,
      observed: totals,
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    counts[way] = shared.counts;
  }
  return counts;
}

/** Assigns bins within `distance` bins of a nucleus's own bins to the nearest nucleus. */
function expand(grid: BinGrid, { owner, by }: BinOwners, distance: number): BinOwners {
  const grown = owner.slice();
  const reason = by.slice();
  for (let row = 0; row < grid.rows; row++) {
    for (let col = 0; col < grid.cols; col++) {
      const bin = row * grid.cols + col;
      if (owner[bin] >= 0) continue;
      let least = distance ** 2 + 1e-9;
      for (let r = Math.max(0, row - distance); r <= Math.min(grid.rows - 1, row + distance); r++) {
        for (
          let c = Math.max(0, col - distance);
          c <= Math.min(grid.cols - 1, col + distance);
          c++
        ) {
          const other = owner[r * grid.cols + c];
          const away = (r - row) ** 2 + (c - col) ** 2;
          if (other < 0 || away > least) continue;
          least = away - 1e-9;
          grown[bin] = other;
          reason[bin] = 2;
        }
      }
    }
  }
  return { owner: grown, by: reason };
}
