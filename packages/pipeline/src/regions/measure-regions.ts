import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { polygonArea } from "@stipple/numerics/polygon-area";
import type { Matrix } from "@stipple/numerics/matrices";

/** Where cells lie relative to regions. */
export interface CellRegions {
  regions: (DrawnRegion & { areaMm2: number })[];
  /** nCells: the smallest region that contains the cell's center, or −1. */
  regionOf: Int32Array;
  /** nCells × nRegions: distance of the center from the border, µm; negative inside. */
  distanceUm: Matrix<Float32Array>;
}

/**
 * Measures where cells lie. O(cells · regions · log points).
 * @param xy nCells × 2, full-resolution pixels
 */
export function measureRegions(
  regions: readonly DrawnRegion[],
  xy: Matrix,
  micronsPerPixel: number,
): CellRegions {
  const [nCells, nRegions] = [xy.nRows, regions.length];
  const data = new Float32Array(nCells * nRegions);
  const areas = regions.map(({ polygons }, r) => {
    const area = polygonArea(polygons);
    for (let cell = 0; cell < nCells; cell++) {
      const [x, y] = [xy.data[2 * cell], xy.data[2 * cell + 1]];
      data[cell * nRegions + r] = area.signedDistance(x, y) * micronsPerPixel;
    }
    return area.size();
  });
  const bySize = [...regions.keys()].sort((a, b) => areas[a] - areas[b]);
  return {
    regions: regions.map((region, r) => ({
      ...region,
      areaMm2: (areas[r] * micronsPerPixel ** 2) / 1e6,
    })),
    regionOf: Int32Array.from(
      { length: nCells },
      (_, cell) => bySize.find((r) => data[cell * nRegions + r] < 0) ?? -1,
    ),
    distanceUm: { nRows: nCells, nCols: nRegions, data },
  };
}
