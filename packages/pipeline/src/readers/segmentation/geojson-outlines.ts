import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { readTextBeside } from "../counts/read-text.ts";
import { FeatureSplitter } from "./feature-splitter.ts";
import { outerRing, packRings, type Outlines } from "./outlines.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "the outlines of cells",
  remedy: "export the cells from QuPath as GeoJSON (File > Export objects)",
} as const;

/**
 * Reads cells as QuPath and other programs write them: polygons, with `nucleusGeometry` where nuclei are known. One
 * object at a time, so memory holds only the rings. Throws {@link InputError}. O(points).
 */
export async function readGeoJsonOutlines(path: string, signal?: AbortSignal): Promise<Outlines> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}: ${WANTED.remedy}.`, { file, cause });
  };
  const cells: Float32Array[] = [];
  const nuclei: Float32Array[] = [];
  let withNucleus = 0;
  const splitter = new FeatureSplitter(fail, (text) => {
    let feature: { geometry?: unknown; nucleusGeometry?: unknown };
    try {
      feature = JSON.parse(text) as typeof feature;
    } catch (cause) {
      return fail("is not valid GeoJSON", cause);
    }
    const cell = outerRing(feature.geometry);
    if (!cell) return;
    const nucleus = outerRing(feature.nucleusGeometry);
    if (nucleus) withNucleus++;
    cells.push(cell);
    nuclei.push(nucleus ?? cell);
  });
  for await (const piece of readTextBeside(path, WANTED)) {
    throwIfCancelled(signal);
    splitter.take(piece);
  }
  if (!splitter.ended) {
    fail(splitter.begun ? "is incomplete: its list of objects is cut off" : "is not GeoJSON");
  }
  if (cells.length === 0) fail("contains no outlines of cells");
  return { cells: packRings(cells), nuclei: withNucleus > 0 ? packRings(nuclei) : null };
}
