import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { cellSet } from "@stipple/viewer/cells";
import type { Shape } from "@stipple/viewer/geometry";
import type { Cells } from "@stipple/viewer/source";
import { regionFinder } from "@stipple/viewer/tools";

/**
 * Distance of every cell, µm: from the border of a shape, negative inside, or from the nearest cell of a type, 0 for
 * these themselves and NaN if there are none.
 */
export async function distances(
  cells: Cells,
  { types, micronsPerPixel, tissue }: ViewerManifest,
  from: Shape | string,
): Promise<Float32Array> {
  const finder = regionFinder(cells.xy);
  const umPerUnit = micronsPerPixel * tissue.scale;
  if (typeof from !== "string") {
    return (await finder.fromBorder(from)).map((units) => units * umPerUnit);
  }
  const type = types.findIndex(({ name }) => name === from);
  const ofType = cellSet(cells.type.length, (cell) => cells.type[cell] === type);
  const found = await finder.fromNearest(ofType);
  return found.map((units) => (units === Infinity ? NaN : units * umPerUnit));
}
