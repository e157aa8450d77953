import type { CellRegions } from "../../regions/measure-regions.ts";
import { rounded, writeTable } from "./table.ts";

/** How many cells of a type lie in a region. */
export interface RegionCount {
  region: string;
  areaMm2: number;
  type: string;
  cells: number;
  /** Of the region's cells. */
  share: number;
}

/** Cells of each type inside each region; a cell in two regions counts in both. */
export function countInRegions(
  { regions, distanceUm }: CellRegions,
  typeOf: Int32Array,
  typeNames: readonly string[],
): RegionCount[] {
  const { nRows, nCols, data } = distanceUm;
  return regions.flatMap(({ name, areaMm2 }, r) => {
    const cells = new Array<number>(typeNames.length).fill(0);
    let total = 0;
    for (let cell = 0; cell < nRows; cell++) {
      if (data[cell * nCols + r] >= 0) continue;
      total++;
      if (typeOf[cell] >= 0) cells[typeOf[cell]]++;
    }
    return typeNames
      .map((type, t) => ({ region: name, areaMm2, type, cells: cells[t], share: cells[t] / total }))
      .filter((row) => row.cells > 0)
      .sort((a, b) => b.cells - a.cells);
  });
}

/** One line per region and type. */
export function writeRegionComposition(
  path: string,
  rows: readonly RegionCount[],
  signal: AbortSignal,
): Promise<void> {
  const head = ["region", "area_mm2", "cell_type", "cells", "share", "cells_per_mm2"];
  const lines = rows.map(({ region, areaMm2, type, cells, share }) => [
    ...[region, rounded(areaMm2, 6), type, cells, rounded(share, 4), rounded(cells / areaMm2, 2)],
  ]);
  return writeTable(path, head, lines, signal);
}
