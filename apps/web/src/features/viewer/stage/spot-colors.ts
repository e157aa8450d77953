import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { cellColors, parseColor, type Coloring } from "../coloring/cell-colors.ts";
import type { ColumnArray } from "../data/columns.ts";

/** Of spots that nothing fills. */
const SPOT_EDGE = [23, 92, 211, 220] as const;
const NOTHING_HIDDEN = { type: [], cluster: [], domain: [], evidence: [], imageQuality: [] };

/** The colors of the spots' clusters. */
export function spotClusterColoring(manifest: ViewerManifest): Coloring {
  return {
    by: "group",
    of: "cluster",
    palette: manifest.spotClusters.map(({ color }) => parseColor(color)),
  };
}

/** Red, green, blue and alpha of every spot (4 × spots), as cells are colored; `clusters` only where they color. O(spots). */
export function spotColors(
  coloring: Coloring,
  count: number,
  clusters: ColumnArray | undefined,
): Uint8Array {
  const column = clusters ?? new Uint8Array(count);
  const none = new Float32Array();
  const asCells = {
    xy: none,
    umap: none,
    type: column,
    cluster: column,
    domain: undefined,
    evidence: undefined,
    imageQuality: undefined,
    // Counts of spots are measured, always.
    observed: column,
  };
  return cellColors(asCells, coloring, NOTHING_HIDDEN).rgba;
}

/** All spots in the color of edges that nothing fills. */
export function spotEdgeColors(count: number): Uint8Array {
  const rgba = new Uint8Array(4 * count);
  for (let at = 0; at < rgba.length; at += 4) rgba.set(SPOT_EDGE, at);
  return rgba;
}
