import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { cellColors, parseColor, type Coloring } from "./cell-colors.ts";
import { NO_CELLS } from "../source/cells.ts";
import type { ColumnArray } from "../source/columns.ts";

/** Color of unfilled spots. */
const SPOT_EDGE = [23, 92, 211, 220] as const;

/** The colors of the spots' clusters. */
export function spotClusterColoring(manifest: ViewerManifest): Coloring {
  return {
    by: "group",
    of: "cluster",
    palette: manifest.spotClusters.map(({ color }) => parseColor(color)),
  };
}

/** RGBA of every spot (4 × spots), using the cells' color rules; `clusters` only if coloring by them. O(spots). */
export function spotColors(
  coloring: Coloring,
  count: number,
  clusters: ColumnArray | undefined,
): Uint8Array {
  const column = clusters ?? new Uint8Array(count);
  return cellColors({ ...NO_CELLS, type: column, cluster: column }, coloring).rgba;
}

/** The edge color for all spots, for unfilled spots. */
export function spotEdgeColors(count: number): Uint8Array {
  const rgba = new Uint8Array(4 * count);
  for (let at = 0; at < rgba.length; at += 4) rgba.set(SPOT_EDGE, at);
  return rgba;
}
