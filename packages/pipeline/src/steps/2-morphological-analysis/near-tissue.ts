import { squaredDistance } from "../../numerics/distance-transform.ts";

/** Nuclei further than this from any tissue are dust on the glass, µm. Generous, as the mask is rough. */
const REACH_UM = 100;

/**
 * Tells whether a place lies in or near the tissue, from its mask (1 = tissue, width × height) with `umPerPx` a pixel.
 * Places are in fractions of the image's sides. Without any tissue in the mask every place counts. O(pixels) once.
 */
export function nearTissue(
  mask: Uint8Array,
  width: number,
  height: number,
  umPerPx: number,
): (x: number, y: number) => boolean {
  if (!mask.includes(1)) return () => true;
  const bare = mask.map((value) => (value ? 0 : 1));
  const distance = squaredDistance(bare, width, height);
  const limit = (REACH_UM / umPerPx) ** 2;
  return (x, y) => {
    const column = Math.max(0, Math.min(width - 1, Math.floor(x * width)));
    const row = Math.max(0, Math.min(height - 1, Math.floor(y * height)));
    return distance[row * width + column] <= limit;
  };
}
