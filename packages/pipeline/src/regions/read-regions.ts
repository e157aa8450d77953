import { basename } from "node:path";
import { LARGEST_REGIONS } from "@stipple/formats/limits";
import { ringStrips } from "@stipple/numerics/ring-strips";
import { segmentTree } from "@stipple/numerics/segment-tree";
import { InputError } from "../errors.ts";
import type { ImageFacts } from "../facts.ts";
import { readText } from "../readers/counts/read-text.ts";
import { parseFeatures } from "./parse-features.ts";
import type { Region } from "./region.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "regions as GeoJSON",
  remedy: "export annotations, not cells, from QuPath as GeoJSON (File > Export objects)",
} as const;

/** Size of the image on which regions are drawn, full-resolution pixels; null if the sample has no image. */
export type ImageSize = { width: number; height: number } | null;

export function fullSize({ source, widthPx, heightPx, scale }: ImageFacts): ImageSize {
  return source === "none" ? null : { width: widthPx * scale, height: heightPx * scale };
}

/** Regions with different names: each is a column of the results. */
const MAX_REGIONS = 100;
/** Drawing may go over the edge of the image by this share of its side. */
const OVER_THE_EDGE = 0.05;

/**
 * Reads regions from GeoJSON as QuPath and other programs write it: a collection, a list, or a single object. Objects
 * of the same name are one region; without a name, those of the same class. Points and lines are left out.
 * Throws {@link InputError} for regions that cannot be used: of another image, with a border that crosses itself, too
 * many. O(points · log points).
 */
export async function readRegions(path: string, image: ImageSize): Promise<Region[]> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}`, { file, cause });
  };
  const features = parseFeatures(await readText(path, WANTED, LARGEST_REGIONS), fail);
  const regions = new Map<string, Region>();
  for (const { name, color, polygons } of features) {
    const region = regions.get(name) ?? { name, color, polygons: [] };
    region.polygons.push(...polygons);
    regions.set(name, region);
  }
  if (regions.size > MAX_REGIONS) {
    fail(
      `has ${regions.size.toLocaleString("en-US")} regions with different names, but at most ${MAX_REGIONS} can be compared: export annotations, not cells.`,
    );
  }
  for (const region of regions.values()) {
    checkPlace(region, image, fail);
    checkBorder(region, fail);
  }
  return [...regions.values()];
}

function checkPlace(
  { name, polygons }: Region,
  image: ImageSize,
  fail: (what: string) => never,
): void {
  if (image === null) return;
  for (const [ring] of polygons) {
    for (let p = 0; p < ring.length; p += 2) {
      const [x, y] = [ring[p], ring[p + 1]];
      if (isNear(x, image.width) && isNear(y, image.height)) continue;
      fail(
        `was drawn on another image: the region ${name} reaches x ${pixels(x)}, y ${pixels(y)}, but the image is ${pixels(image.width)} × ${pixels(image.height)} pixels. Export the regions from this sample's full-resolution image.`,
      );
    }
  }
}

function isNear(value: number, side: number): boolean {
  return value >= -OVER_THE_EDGE * side && value <= (1 + OVER_THE_EDGE) * side;
}

function checkBorder({ name, polygons }: Region, fail: (what: string) => never): void {
  for (const rings of polygons) {
    const crossing = segmentTree(rings).crossing();
    if (crossing === null) continue;
    const [x, y] = crossing;
    fail(
      `has a region, ${name}, whose border crosses itself at x ${pixels(x)}, y ${pixels(y)}: draw it again without the crossing.`,
    );
  }
}

function pixels(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Whether a point lies in any of these regions. */
export function insideAny(regions: readonly Region[]): (x: number, y: number) => boolean {
  const shapes = regions.flatMap(({ polygons }) => polygons.map((rings) => ringStrips(rings)));
  return (x, y) => shapes.some((shape) => shape.holds(x, y));
}
