import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import type { Polygons } from "@stipple/numerics/matrices";
import { packRings } from "@stipple/numerics/rings";
import { outerRing } from "./outlines.ts";
import { readFeatures } from "./read-features.ts";

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
  const ids = Uint32Array.from(cells.keys()).sort();
  const file = basename(files.cells);
  if (ids.length === 0) {
    throw new InputError(`${file} contains no cell outlines: ${WANTED.remedy}.`);
  }
  const outlines = Array.from(ids, (id) => cells.get(id)!);
  return {
    ids,
    cells: packRings(outlines),
    nuclei: packRings(Array.from(ids, (id, i) => nuclei?.get(id) ?? outlines[i])),
  };
}

/** The outline of each cell by its number. */
async function readOutlines(
  path: string,
  signal: AbortSignal | undefined,
): Promise<Map<number, Float32Array>> {
  const rings = new Map<number, Float32Array>();
  const take: Parameters<typeof readFeatures>[2] = ({ properties, geometry }, fail) => {
    // Some versions write "cellid_000000717-1" for 717.
    const text = String((properties as { cell_id?: unknown } | null | undefined)?.cell_id ?? "");
    const id = Number(/^(?:cellid_)?0*(\d+)(?:-\d+)?$/.exec(text)?.[1] ?? NaN);
    if (!(id <= 0xffffffff)) return fail("has a feature without an integer cell_id");
    const outline = outerRing(geometry, fail);
    if (outline === null) return fail(`has no polygon for cell ${id}`);
    if (rings.has(id)) return fail(`has two outlines for cell ${id}`);
    rings.set(id, outline);
  };
  await readFeatures(path, WANTED, take, signal);
  return rings;
}
