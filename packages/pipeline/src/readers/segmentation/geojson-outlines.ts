import { basename } from "node:path";
import { childrenOf } from "@stipple/formats/geojson/child-objects";
import { objectTypeOf } from "@stipple/formats/geojson/object-type";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { readTextBeside } from "../counts/read-text.ts";
import { FeatureSplitter } from "./feature-splitter.ts";
import { outerRing, packRings, type Outlines } from "./outlines.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "the outlines of cells",
  remedy: "export the cells from QuPath as GeoJSON (File > Export objects)",
} as const;

/** The parts of an object that are read. */
interface OutlineFeature {
  id?: unknown;
  geometry?: unknown;
  nucleusGeometry?: unknown;
  properties?: unknown;
}

/** Objects that are found by a program; null for those of programs other than QuPath. */
const DETECTED = new Set(["cell", "detection", "tile", null]);

/**
 * Reads cells as QuPath and other programs write them: polygons, with `nucleusGeometry` where nuclei are known. Areas and
 * cores of tissue microarrays around QuPath's detected objects, which it exports with them or them inside, are no cells.
 * Memory holds only the rings. Throws {@link InputError}. O(points).
 */
export async function readGeoJsonOutlines(path: string, signal?: AbortSignal): Promise<Outlines> {
  const found: { cell: Float32Array; nucleus: Float32Array | null; isDrawn: boolean }[] = [];
  const take = (feature: OutlineFeature, fail: (what: string) => never): void => {
    const { geometry, nucleusGeometry } = feature;
    const isDrawn = !DETECTED.has(objectTypeOf(feature));
    // What QuPath finds in cells are parts of them.
    if (isDrawn) for (const child of childrenOf(feature)) take(child, fail);
    const cell = outerRing(geometry, fail);
    if (cell) found.push({ cell, nucleus: outerRing(nucleusGeometry, fail), isDrawn });
  };
  await readFeatures(path, take, signal);
  const detected = found.filter(({ isDrawn }) => !isDrawn);
  const outlines = detected.length > 0 ? detected : found;
  if (outlines.length === 0) fault(path)("contains no outlines of cells");
  const hasNuclei = outlines.some(({ nucleus }) => nucleus !== null);
  return {
    cells: packRings(outlines.map(({ cell }) => cell)),
    nuclei: hasNuclei ? packRings(outlines.map(({ cell, nucleus }) => nucleus ?? cell)) : null,
  };
}

/** Reads a GeoJSON one object at a time. Throws {@link InputError}. O(bytes). */
export async function readFeatures(
  path: string,
  take: (feature: OutlineFeature, fail: (what: string) => never) => void,
  signal?: AbortSignal,
): Promise<void> {
  const fail = fault(path);
  const splitter = new FeatureSplitter(fail, (text) => {
    let feature: OutlineFeature;
    try {
      feature = JSON.parse(text) as OutlineFeature;
    } catch (cause) {
      return fail("is not valid GeoJSON", cause);
    }
    take(feature, fail);
  });
  for await (const piece of readTextBeside(path, WANTED)) {
    throwIfCancelled(signal);
    splitter.take(piece);
  }
  if (!splitter.ended) {
    fail(splitter.begun ? "is incomplete: its list of objects is cut off" : "is not GeoJSON");
  }
}

function fault(path: string): (what: string, cause?: unknown) => never {
  const file = basename(path);
  return (what, cause) => {
    throw new InputError(`${file} ${what}: ${WANTED.remedy}.`, { cause });
  };
}
