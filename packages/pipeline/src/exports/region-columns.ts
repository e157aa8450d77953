import { categoryColors } from "../figures/palette.ts";
import { plainColumns } from "./column-names.ts";
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
  const columns = plainColumns(
    regions.map(({ name }) => name),
    (plain) => `distance_to_${plain}_um`,
  );
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
