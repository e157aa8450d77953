import { basename } from "node:path";
import { childrenOf } from "@stipple/formats/geojson/child-objects";
import { objectTypeOf } from "@stipple/formats/geojson/object-type";
import { packRings } from "@stipple/numerics/rings";
import { InputError } from "../../errors.ts";
import { outerRing, type Outlines } from "./outlines.ts";
import { readFeatures, type Feature } from "./read-features.ts";

/** What outlines of cells should be. */
export const OUTLINES = {
  kinds: ["json", "text"],
  what: "the outlines of cells",
  remedy: "export the cells from QuPath as GeoJSON (File > Export objects)",
} as const;

/** Objects that are found by a program; null for those of programs other than QuPath. */
const DETECTED = new Set(["cell", "detection", "tile", null]);

/**
 * Reads cells as QuPath and other programs write them: polygons, with `nucleusGeometry` where nuclei are known. Areas and
 * cores of tissue microarrays around QuPath's detected objects, which it exports with them or them inside, are no cells.
 * Memory holds only the rings. Throws {@link InputError}. O(points).
 */
export async function readGeoJsonOutlines(path: string, signal?: AbortSignal): Promise<Outlines> {
  const found: { cell: Float32Array; nucleus: Float32Array | null; isDrawn: boolean }[] = [];
  const take = (feature: Feature, fail: (what: string) => never): void => {
    const { geometry, nucleusGeometry } = feature;
    const isDrawn = !DETECTED.has(objectTypeOf(feature));
    // What QuPath finds in cells are parts of them.
    if (isDrawn) for (const child of childrenOf(feature)) take(child, fail);
    const cell = outerRing(geometry, fail);
    if (cell) found.push({ cell, nucleus: outerRing(nucleusGeometry, fail), isDrawn });
  };
  await readFeatures(path, OUTLINES, take, signal);
  const detected = found.filter(({ isDrawn }) => !isDrawn);
  const outlines = detected.length > 0 ? detected : found;
  if (outlines.length === 0) {
    throw new InputError(`${basename(path)} contains no outlines of cells: ${OUTLINES.remedy}.`);
  }
  const hasNuclei = outlines.some(({ nucleus }) => nucleus !== null);
  return {
    cells: packRings(outlines.map(({ cell }) => cell)),
    nuclei: hasNuclei ? packRings(outlines.map(({ cell, nucleus }) => nucleus ?? cell)) : null,
  };
}
