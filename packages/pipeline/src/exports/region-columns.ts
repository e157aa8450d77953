import { categoryColors } from "../figures/palette.ts";
import type { CellRegions } from "../regions/measure-regions.ts";

/** Columns of a table of cells that say where they lie relative to the user's regions. */
export interface RegionColumns {
  /** The smallest region that contains the cell: index into `names`, or −1. */
  regionOf: Int32Array;
  names: string[];
  colors: string[];
  /** One for each region: its column's name, and distances from its border, µm, negative inside. */
  distances: { column: string; um: Float32Array }[];
}

/** The column with the region of each cell. SpatialData calls the table's shapes "region". */
export const REGION_COLUMN = "tissue_region";

export function regionColumns({ regions, regionOf, distanceUm }: CellRegions): RegionColumns {
  const palette = categoryColors(regions.length);
  const plain = regions.map(({ name }) => name.replaceAll(/[^\p{L}\p{N}]+/gu, "_"));
  // Names that differ only in other characters get numbers.
  const columns = plain.map((name, r) => {
    const before = plain.slice(0, r).filter((other) => other === name).length;
    return `distance_to_${name}${before > 0 ? `_${before + 1}` : ""}_um`;
  });
  const { nRows, nCols, data } = distanceUm;
  return {
    regionOf,
    names: regions.map(({ name }) => name),
    colors: regions.map(({ color }, r) => color ?? palette[r]),
    distances: columns.map((column, r) => ({
      column,
      um: Float32Array.from({ length: nRows }, (_, cell) => data[cell * nCols + r]),
    })),
  };
}
