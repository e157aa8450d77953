import { basename } from "node:path";
import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { MAX_REGIONS } from "@stipple/formats/geojson/drawn-regions";
import { traceAreas } from "@stipple/numerics/trace-areas";
import { InputError } from "../errors.ts";
import { openLabelTiff } from "../readers/segmentation/label-files.ts";
import { scaleOf, type LabelRaster } from "../readers/segmentation/label-raster.ts";
import type { ImageSize } from "./read-regions.ts";

/** Longest side on which borders are traced; of larger label images every nth pixel is used. */
const TRACED_PX = 4096;
/** Rows read at a time. */
const BAND = 512;

/**
 * Reads a label image (TIFF) in which every label above 0 is a region, called "Label n". Throws {@link InputError} if it
 * does not have the image's shape, or has too many labels. O(pixels).
 */
export async function readLabelRegions(path: string, image: ImageSize): Promise<DrawnRegion[]> {
  const file = basename(path);
  const raster = await openLabelTiff(path);
  const scale = image ? scaleOf(file, raster, image) : 1;
  const { labels, width, height, step } = await thinned(raster);
  const names = new Set(labels);
  names.delete(0);
  if (names.size === 0) {
    throw new InputError(`${file} contains no regions: all its pixels are 0.`);
  }
  if (names.size > MAX_REGIONS) {
    throw new InputError(
      `${file} has ${names.size.toLocaleString("en-US")} labels, but at most ${MAX_REGIONS} regions can be compared: if they are cells, add it as outlines of cells.`,
    );
  }
  return [...traceAreas(labels, width, height)]
    .sort(([a], [b]) => a - b)
    .map(([label, polygons]) => ({
      name: `Label ${label}`,
      kind: null,
      color: null,
      polygons: polygons.map((rings) =>
        rings.map((ring) => ring.map((value) => value * step * scale)),
      ),
    }));
}

/** Every nth pixel of a label image, where n is `step`. */
async function thinned(
  raster: LabelRaster,
): Promise<{ labels: Int32Array; width: number; height: number; step: number }> {
  const step = Math.ceil(Math.max(raster.width, raster.height) / TRACED_PX);
  // The last stretch may be shorter: it counts as a whole pixel if its middle is inside.
  const middle = step >> 1;
  const [width, height] = [raster.width, raster.height].map((side) =>
    Math.max(1, Math.ceil((side - middle) / step)),
  ) as [number, number];
  const labels = new Int32Array(width * height);
  for (let row = 0; row < height;) {
    const top = Math.min(raster.height - 1, row * step + middle);
    const count = Math.min(BAND * step, raster.height - top);
    const band = await raster.rows(top, count);
    for (let y = 0; y < count && row < height; y += step, row++) {
      for (let column = 0; column < width; column++) {
        const x = Math.min(raster.width - 1, column * step + middle);
        labels[row * width + column] = band[y * raster.width + x];
      }
    }
  }
  return { labels, width, height, step };
}
