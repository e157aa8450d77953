import { cellRing, nucleusRing, pairs, type Outlines } from "../rings.ts";
import { writePieces } from "../write-lines.ts";

/**
 * Outlines for `spaceranger count --custom-segmentation-file` (Space Ranger 4): a FeatureCollection of closed polygons
 * in microscope image pixels, with the integer cell_id used in Space Ranger's own files. Space Ranger numbers cells by
 * their order in the file, so cell n of the cell file becomes cellid_00000000n-1. Streams.
 */
export function writeSegmentationGeoJson(
  path: string,
  what: "cells" | "nuclei",
  outlines: Outlines,
  signal: AbortSignal,
): Promise<void> {
  return writePieces(path, features(what, outlines), signal);
}

function* features(what: "cells" | "nuclei", outlines: Outlines): Generator<string> {
  yield '{"type":"FeatureCollection","features":[\n';
  let first = true;
  for (let cell = 0; cell < outlines.xy.nRows; cell++) {
    const ring = what === "cells" ? cellRing(outlines, cell) : nucleusRing(outlines, cell);
    if (!ring) continue;
    const feature = {
      type: "Feature",
      id: cell + 1,
      geometry: { type: "Polygon", coordinates: [pairs(ring)] },
      properties: { cell_id: cell + 1 },
    };
    yield `${first ? "" : ",\n"}${JSON.stringify(feature)}`;
    first = false;
  }
  yield "\n]}\n";
}
