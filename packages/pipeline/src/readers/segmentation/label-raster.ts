import { packRings } from "@stipple/numerics/rings";
import { traceContour } from "@stipple/numerics/trace-contour";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { Outlines } from "./outlines.ts";

/** An image whose values number the objects; 0 is background. Read in bands of whole rows. */
export interface LabelRaster {
  width: number;
  height: number;
  rows(top: number, count: number): Promise<Int32Array>;
}

/** Sides of a label image may differ from those of the image, after scaling, by this share. */
const SIDE_TOLERANCE = 0.01;

/** Full-resolution pixels for each of a label image's own. Throws {@link InputError} if its sides have another ratio. */
export function scaleOf(
  file: string,
  raster: Pick<LabelRaster, "width" | "height">,
  image: { width: number; height: number },
): number {
  const [across, down] = [image.width / raster.width, image.height / raster.height];
  if (Math.abs(across / down - 1) <= SIDE_TOLERANCE) return across;
  const [own, whole] = [raster, image].map(({ width, height }) =>
    [width, height].map((side) => Math.round(side).toLocaleString("en-US")).join(" × "),
  );
  throw new InputError(
    `${file} is ${own} pixels, but the image is ${whole}: use labels of the whole image.`,
  );
}

/** Rows read at a time, and rows that bands share: the greatest height of an object. */
const [BAND, OVERLAP] = [1024, 512];

/**
 * Traces the objects of a label image, `scale` full-resolution pixels for each of its own, and counts their pixels.
 * Memory: one band. An object is the part that is reached first from the top, but `pixels` are of all parts; objects
 * higher than {@link OVERLAP} rows are left out. O(pixels).
 */
export async function traceLabels(
  raster: LabelRaster,
  scale: number,
  signal?: AbortSignal,
): Promise<Outlines & { pixels: number }> {
  const { width, height } = raster;
  /** Whether each label that was reached was traced, not left out. */
  const reached = new Map<number, boolean>();
  let pixels = 0;
  const rings: number[][] = [];
  for (let top = 0; top < height; top += BAND) {
    throwIfCancelled(signal);
    const count = Math.min(BAND + OVERLAP, height - top);
    const labels = await raster.rows(top, count);
    const cut = new Set<number>();
    if (top + count < height) {
      for (let p = (count - 1) * width; p < count * width; p++) cut.add(labels[p]);
    }
    for (let p = 0; p < Math.min(BAND, count) * width; p++) {
      const label = labels[p];
      if (label <= 0) continue;
      const isTraced = reached.get(label) ?? !cut.has(label);
      if (isTraced) pixels++;
      if (reached.has(label)) continue;
      reached.set(label, isTraced);
      if (!isTraced) continue;
      const ring = traceContour(labels, width, count, label, p);
      for (let i = 0; i < ring.length; i += 2) {
        ring[i] *= scale;
        ring[i + 1] = (ring[i + 1] + top) * scale;
      }
      rings.push(ring);
    }
  }
  return { cells: packRings(rings), nuclei: null, pixels };
}
