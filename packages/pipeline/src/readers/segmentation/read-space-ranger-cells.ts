import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { Polygons } from "@stipple/numerics/matrices";
import { readTextBeside } from "../counts/read-text.ts";
import { FeatureSplitter } from "./feature-splitter.ts";
import { outerRing, packRings } from "./outlines.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "the outlines of cells",
  remedy: "use the .geojson files from Space Ranger's segmented_outputs folder",
} as const;

/** Outlines from Space Ranger 4's segmentation, in full-resolution pixels; ring i of both belongs to ids[i]. */
export interface SpaceRangerCells {
  ids: Uint32Array;
  cells: Polygons;
  /** The cell's own ring if its nucleus is not listed. */
  nuclei: Polygons;
}

interface Outlines {
  ring: Map<number, Float32Array>;
}

/**
 * Reads `cell_segmentations.geojson` and, if present, `nucleus_segmentations.geojson` from `segmented_outputs`:
 * features with an integer `cell_id`, one at a time, so memory holds only the rings and one feature's text.
 * Throws {@link InputError}. O(points).
 */
export async function readSpaceRangerCells(
  files: { cells: string; nuclei: string | null },
  signal?: AbortSignal,
): Promise<SpaceRangerCells> {
  const cells = await readOutlines(files.cells, signal);
  const nuclei = files.nuclei === null ? null : await readOutlines(files.nuclei, signal);
  const ids = Uint32Array.from(cells.ring.keys()).sort();
  const file = basename(files.cells);
  if (ids.length === 0) {
    throw new InputError(`${file} contains no cell outlines: use the original Space Ranger file.`);
  }
  const outlines = Array.from(ids, (id) => cells.ring.get(id)!);
  return {
    ids,
    cells: packRings(outlines),
    nuclei: packRings(Array.from(ids, (id, i) => nuclei?.ring.get(id) ?? outlines[i])),
  };
}

async function readOutlines(path: string, signal: AbortSignal | undefined): Promise<Outlines> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}: use the original Space Ranger file.`, { cause });
  };
  const ring = new Map<number, Float32Array>();
  const splitter = new FeatureSplitter(fail, (text) => {
    let feature: unknown;
    try {
      feature = JSON.parse(text);
    } catch (cause) {
      return fail("is not valid GeoJSON", cause);
    }
    const { id, outline } = outlineOf(feature, fail);
    if (id === null || id > 0xffffffff) return fail("has a feature without an integer cell_id");
    if (outline === null) return fail(`has no polygon for cell ${id}`);
    if (ring.has(id)) return fail(`has two outlines for cell ${id}`);
    ring.set(id, outline);
  });
  for await (const piece of readTextBeside(path, WANTED)) {
    throwIfCancelled(signal);
    splitter.take(piece);
  }
  if (!splitter.ended) {
    fail(splitter.begun ? "is incomplete: its list of features is cut off" : "is not GeoJSON");
  }
  return { ring };
}

function outlineOf(
  feature: unknown,
  fail: (what: string) => never,
): { id: number | null; outline: Float32Array | null } {
  const { properties, geometry } = feature as {
    properties?: { cell_id?: unknown } | null;
    geometry?: unknown;
  };
  // Some versions write "cellid_000000717-1" for 717.
  const text = String(properties?.cell_id ?? "");
  const found = /^(?:cellid_)?0*(\d+)(?:-\d+)?$/.exec(text);
  const id = found ? Number(found[1]) : null;
  return { id, outline: outerRing(geometry, fail) };
}
