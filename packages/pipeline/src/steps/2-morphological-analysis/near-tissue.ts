import { squaredDistance } from "../../numerics/distance-transform.ts";

/** Nuclei further than this from any tissue are dust on the glass, µm. Generous, as the mask is rough. */
const REACH_UM = 100;

/** Whether places lie in or near the tissue. Places are in fractions of the image's sides. */
export interface NearTissue {
  holds(x: number, y: number): boolean;
  /** Whether any place of a rectangle does. */
  meets(rect: { x0: number; y0: number; x1: number; y1: number }): boolean;
}

/**
 * What lies near the tissue, from its mask (1 = tissue, width × height) with `umPerPx` a pixel. Without any tissue in the
 * mask every place counts. O(pixels) once; a rectangle costs its pixels.
 */
export function nearTissue(
  mask: Uint8Array,
  width: number,
  height: number,
  umPerPx: number,
): NearTissue {
  if (!mask.includes(1)) return EVERYWHERE;
  const bare = mask.map((value) => (value ? 0 : 1));
  const distance = squaredDistance(bare, width, height);
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

/** Of an image without a mask, or whose every place counts. */
export const EVERYWHERE: NearTissue = { holds: () => true, meets: () => true };
