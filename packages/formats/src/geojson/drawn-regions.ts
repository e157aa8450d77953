import { crossingOf } from "@stipple/numerics/crossing";
import { drawnFeatures } from "./drawn-features.ts";
import type { DrawnImage, DrawnRegion, FailRegions, ImportedObject } from "./drawn-region.ts";

/** Regions with different names: each is a column of the results. */
export const MAX_REGIONS = 100;
/** Drawing may go over the edge of the image by this share of its side. */
const OVER_THE_EDGE = 0.05;

/**
 * Regions from GeoJSON as QuPath and other programs write it: a collection, a list, or a single object. Objects of the
 * same name are one region; without a name, those of the same class. Points and lines are left out. `fail` is called
 * for regions that cannot be used: of another image, with a border that crosses itself, too many.
 * O(points · log points).
 * @param image null if there is none to compare with
 */
export function drawnRegions(
  text: string,
  image: DrawnImage | null,
  fail: FailRegions,
): DrawnRegion[] {
  const regions = new Map<string, DrawnRegion>();
  const objects = new Map<string, (ImportedObject | null)[]>();
  for (const { object, polygons, ...feature } of drawnFeatures(text, fail)) {
    const region = regions.get(feature.name) ?? { ...feature, polygons: [] };
    for (const rings of polygons) region.polygons.push(rings);
    regions.set(feature.name, region);
    const others = objects.get(feature.name);
    if (others) others.push(object);
    else objects.set(feature.name, [object]);
  }
  for (const region of regions.values()) {
    const { name, kind, color } = region;
    const given = objects.get(name)!.filter((object) => object !== null);
    if (given.length < objects.get(name)!.length) continue;
    region.imported = { name, kind, color, objects: withoutRepetition(given) };
  }
  if (regions.size > MAX_REGIONS) {
    fail(
      `has ${regions.size.toLocaleString("en-US")} regions with different names, but at most ${MAX_REGIONS} can be compared: export annotations, not cells.`,
    );
  }
  for (const region of regions.values()) {
    if (image) checkPlace(region, image, fail);
    checkBorder(region, fail);
  }
  return [...regions.values()];
}

/** Thousands of objects often have the same properties, which only the first keeps. */
function withoutRepetition(objects: readonly ImportedObject[]): ImportedObject[] {
  let before = "";
  return objects.map(({ geometry, properties, ...object }) => {
    const text = JSON.stringify([geometry, properties]);
    const isSame = text === before;
    before = text;
    return isSame ? object : { ...object, geometry, properties };
  });
}

function checkPlace({ name, polygons }: DrawnRegion, image: DrawnImage, fail: FailRegions): void {
  for (const [ring] of polygons) {
    for (let p = 0; p < ring!.length; p += 2) {
      const [x, y] = [ring![p]!, ring![p + 1]!];
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

function checkBorder({ name, polygons }: DrawnRegion, fail: FailRegions): void {
  for (const rings of polygons) {
    const crossing = crossingOf(rings);
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
