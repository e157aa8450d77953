import { basename } from "node:path";
import type { DrawnImage, DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { drawnRegions } from "@stipple/formats/geojson/drawn-regions";
import { LARGEST_REGIONS } from "@stipple/formats/limits";
import { polygonArea } from "@stipple/numerics/polygon-area";
import { InputError } from "../errors.ts";
import type { ImageFacts } from "../facts.ts";
import { readText } from "../readers/counts/read-text.ts";
import { readLabelRegions } from "./label-regions.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "regions as GeoJSON",
  remedy: "export annotations, not cells, from QuPath as GeoJSON (File > Export objects)",
} as const;

/** Size of the image on which regions are drawn, full-resolution pixels; null if the sample has no image. */
export type ImageSize = DrawnImage | null;

/** Size of the image in full-resolution pixels, whatever the resolution of the file. */
export function fullSize({ source, widthPx, heightPx, scale }: ImageFacts): ImageSize {
  return source === "none" ? null : { width: widthPx * scale, height: heightPx * scale };
}

/**
 * Reads regions from GeoJSON (see `drawnRegions`) or a label image (see `readLabelRegions`). Throws {@link InputError} for regions that cannot be used.
 */
export async function readRegions(path: string, image: ImageSize): Promise<DrawnRegion[]> {
  if (/\.tiff?$/i.test(path)) return readLabelRegions(path, image);
  const file = basename(path);
  const text = await readText(path, WANTED, LARGEST_REGIONS);
  return drawnRegions(text, image, (what, cause) => {
    throw new InputError(`${file} ${what}`, { cause });
  });
}

/** Whether a point lies in any of these regions. */
export function insideAny(regions: readonly DrawnRegion[]): (x: number, y: number) => boolean {
  return polygonArea(regions.flatMap(({ polygons }) => polygons)).holds;
}
