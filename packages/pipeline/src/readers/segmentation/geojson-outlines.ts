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

/** The parts of an object that are read. */
interface OutlineFeature {
  geometry?: unknown;
  nucleusGeometry?: unknown;
  properties?: unknown;
}

/**
 * Reads cells as QuPath and other programs write them: polygons, with `nucleusGeometry` where nuclei are known. Memory
 * holds only the rings. Throws {@link InputError}. O(points).
 */
export async function readGeoJsonOutlines(path: string, signal?: AbortSignal): Promise<Outlines> {
  const cells: Float32Array[] = [];
  const nuclei: Float32Array[] = [];
  let withNucleus = 0;
  const take = ({ geometry, nucleusGeometry }: OutlineFeature): void => {
    const cell = outerRing(geometry);
    if (!cell) return;
    const nucleus = outerRing(nucleusGeometry);
    if (nucleus) withNucleus++;
    cells.push(cell);
    nuclei.push(nucleus ?? cell);
  };
  await readFeatures(path, take, signal);
  if (cells.length === 0) fault(path)("contains no outlines of cells");
  return { cells: packRings(cells), nuclei: withNucleus > 0 ? packRings(nuclei) : null };
}

/** Reads a GeoJSON one object at a time. Throws {@link InputError}. O(bytes). */
export async function readFeatures(
  path: string,
  take: (feature: OutlineFeature) => void,
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
    take(feature);
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
    throw new InputError(`${file} ${what}: ${WANTED.remedy}.`, { file, cause });
  };
}
