import type { Polygons } from "@stipple/numerics/matrices";
import { packRings } from "@stipple/numerics/rings";
import { InputError } from "../../errors.ts";
import { writePieces } from "../../exports/write-lines.ts";
import { OUTLINES } from "./geojson-outlines.ts";
import { outerRing } from "./outlines.ts";
import { readFeatures } from "./read-features.ts";

/** A change of some nuclei's outlines. */
export interface NucleusEdit {
  /** Rows of the nuclei that are gone. */
  removed: readonly number[];
  /** Outlines that are there instead, full-resolution px. */
  added: readonly (readonly (readonly [number, number])[])[];
}

/**
 * Writes nuclei with edits applied, as GeoJSON that is read like any other program's outlines. What was replaced is kept
 * next to it, as objects without a place that readers pass over. Streams. Throws {@link InputError} for an edit of a
 * nucleus that does not exist, and if none is left. Returns the numbers of nuclei before and after. O(points).
 */
export async function writeEditedNuclei(
  path: string,
  nuclei: Polygons,
  edits: readonly NucleusEdit[],
): Promise<{ before: number; after: number }> {
  const before = nuclei.offsets.length - 1;
  const removed = new Set(edits.flatMap((edit) => edit.removed));
  const added = edits.flatMap((edit) => edit.added);
  for (const row of removed) {
    if (row < before) continue;
    throw new InputError(
      `An edit changes nucleus ${row}, but there are ${before}: undo this edit.`,
    );
  }
  const after = before - removed.size + added.length;
  if (after === 0) throw new InputError("These edits delete every nucleus: undo some of them.");
  const features = function* (): Generator<object> {
    for (let row = 0; row < before; row++) {
      const ring = pairsOf(nuclei, row);
      yield removed.has(row) ? feature(null, { replaced: ring }) : feature(ring, {});
    }
    for (const ring of added) yield feature(ring, { isNew: true });
  };
  const pieces = function* (): Generator<string> {
    yield '{"type":"FeatureCollection","features":[\n';
    let between = "";
    for (const one of features()) {
      yield between + JSON.stringify(one);
      between = ",\n";
    }
    yield "\n]}\n";
  };
  await writePieces(path, pieces());
  return { before, after };
}

/** The nuclei of a file of {@link writeEditedNuclei} as they were before the edits; null for any other file. */
export async function nucleiBeforeEdits(path: string): Promise<Polygons | null> {
  const rings: Float32Array[] = [];
  let edits = 0;
  await readFeatures(path, OUTLINES, ({ geometry, properties }, fail) => {
    const { replaced, isNew } = (properties ?? {}) as { replaced?: unknown; isNew?: boolean };
    if (replaced || isNew) edits++;
    if (isNew) return;
    const kept = replaced ? { type: "Polygon", coordinates: [replaced] } : geometry;
    const ring = outerRing(kept, fail);
    if (ring) rings.push(ring);
  });
  return edits > 0 ? packRings(rings) : null;
}

function feature(
  ring: readonly (readonly [number, number])[] | null,
  about: { replaced?: readonly (readonly [number, number])[]; isNew?: boolean },
): object {
  return {
    type: "Feature",
    geometry: ring && { type: "Polygon", coordinates: [[...ring, ring[0]]] },
    properties: { objectType: "detection", ...about },
  };
}

/** The corners of an outline, to a hundredth of a pixel. */
function pairsOf({ offsets, xy }: Polygons, row: number): [number, number][] {
  const rounded = (value: number): number => Math.round(100 * value) / 100;
  return Array.from({ length: offsets[row + 1] - offsets[row] }, (_, at) => {
    const place = 2 * (offsets[row] + at);
    return [rounded(xy[place]), rounded(xy[place + 1])];
  });
}
