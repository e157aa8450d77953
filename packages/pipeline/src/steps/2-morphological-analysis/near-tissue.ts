import type { Matrix } from "@stipple/numerics/matrices";
import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { squaredDistanceTransform } from "@stipple/numerics/distance-transform";
import { boxOf } from "@stipple/numerics/boxes";
import { insideAny } from "../../regions/read-regions.ts";

/** Nuclei farther than this from any tissue are dust on the glass, µm. Generous because the mask is rough. */
const REACH_UM = 100;

/** Tests whether points lie in or near the tissue. Coordinates are fractions of the image's width and height. */
export interface NearTissue {
  holds(x: number, y: number): boolean;
  /** Whether any point of a rectangle does. */
  meets(rect: { x0: number; y0: number; x1: number; y1: number }): boolean;
}

/**
 * Builds the test from a tissue mask (1 = tissue, width × height, `umPerPx`). If the mask has no tissue, every point
 * counts as near. O(pixels) once, then O(pixels in the rectangle) per rectangle.
 */
export function nearTissue(
  mask: Uint8Array,
  width: number,
  height: number,
  umPerPx: number,
): NearTissue {
  if (!mask.includes(1)) return EVERYWHERE;
  const bare = mask.map((value) => (value ? 0 : 1));
  const distance = squaredDistanceTransform(bare, width, height);
  const limit = (REACH_UM / umPerPx) ** 2;
  const columnOf = (x: number): number => Math.max(0, Math.min(width - 1, Math.floor(x * width)));
  const rowOf = (y: number): number => Math.max(0, Math.min(height - 1, Math.floor(y * height)));
  return {
    holds: (x, y) => distance[rowOf(y) * width + columnOf(x)] <= limit,
    meets({ x0, y0, x1, y1 }) {
      for (let row = rowOf(y0); row <= rowOf(y1); row++) {
        for (let column = columnOf(x0); column <= columnOf(x1); column++) {
          if (distance[row * width + column] <= limit) return true;
        }
      }
      return false;
    },
  };
}

/** A place without what a test excludes; coordinates of the test are pixels of an image of this size. */
export function withoutExcluded(
  near: NearTissue,
  { width, height }: { width: number; height: number },
  isExcluded: (x: number, y: number) => boolean,
): NearTissue {
  return {
    ...near,
    holds: (x, y) => near.holds(x, y) && !isExcluded(x * width, y * height),
  };
}

/** A place within regions, whose coordinates are pixels of an image of this size. */
export function onlyKept(
  near: NearTissue,
  { width, height }: { width: number; height: number },
  regions: readonly DrawnRegion[],
): NearTissue {
  const isKept = insideAny(regions);
  const boxes = regions.flatMap(({ polygons }) => polygons.map(([outline]) => boxOf(outline)));
  return {
    holds: (x, y) => near.holds(x, y) && isKept(x * width, y * height),
    meets: (rect) =>
      boxes.some(
        ({ left, right, top, bottom }) =>
          rect.x0 * width <= right &&
          rect.x1 * width >= left &&
          rect.y0 * height <= bottom &&
          rect.y1 * height >= top,
      ) && near.meets(rect),
  };
}

/** The tissue in which cells count. O(pixels). */
export function tissueWithCells(
  { data, nRows, nCols }: Matrix<Uint8Array>,
  near: NearTissue,
): Matrix<Uint8Array> {
  const counts = data.map((value, p) => {
    const [x, y] = [(p % nCols) + 0.5, Math.floor(p / nCols) + 0.5];
    return value && Number(near.holds(x / nCols, y / nRows));
  });
  return { nRows, nCols, data: counts };
}

/** For images without a mask, or when every point counts. */
export const EVERYWHERE: NearTissue = { holds: () => true, meets: () => true };
