import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { contains, grown, widened } from "../geometry/boxes.ts";
import { pointGrid, type Box, type PointGrid } from "../geometry/point-grid.ts";
import { dotData, largeDots, type DotData } from "./dot-data.ts";
import { LARGE_FROM_PX, spotRadius } from "./dot-size.ts";

/** Spots or bins; replaced by a new object whenever something changes. */
export interface SpotContent {
  /** x, y in px of the largest tissue level. */
  xy: Float32Array;
  /** 4 × nSpots. */
  rgba: Uint8Array;
  /** There are no values to fill them with. */
  onlyEdges: boolean;
}

/** Spots or bins as drawn. */
export interface SpotDrawing {
  /** All, or only those around a close view. */
  dots: DotData;
  /** Contains only those around a close view, so they may be drawn as large dots. */
  isPart: boolean;
  /** There are no values to fill them with. */
  onlyEdges: boolean;
}

/** Minimum radius for drawing edges: on smaller spots they would only cover the tissue. */
const EDGES_FROM_PX = 3;
/** Margin around a close view within which spots are drawn, as a fraction of its size. */
const SPOTS_AROUND = 0.5;

/**
 * Extracts the spots around the view if they are large; otherwise draws all. Nothing if only edges would be drawn and
 * the spots are too small.
 */
export function spotDrawings(manifest: ViewerManifest) {
  let all: { of: SpotContent; data: DotData } | undefined;
  let part: { of: SpotContent; box: Box; data: DotData } | undefined;
  let grid: { xy: Float32Array; grid: PointGrid } | undefined;
  return (content: SpotContent, box: Box, pxPerUnit: number): SpotDrawing | undefined => {
    const { xy, rgba, onlyEdges } = content;
    const radius = spotRadius(manifest);
    if (onlyEdges && radius * pxPerUnit < EDGES_FROM_PX) return undefined;
    if (radius * pxPerUnit <= LARGE_FROM_PX) {
      if (all?.of !== content) all = { of: content, data: dotData(xy, rgba) };
      return { dots: all.data, isPart: false, onlyEdges };
    }
    if (part?.of !== content || !contains(part.box, box)) {
      if (grid?.xy !== xy) grid = { xy, grid: pointGrid(xy) };
      const around = widened(box, SPOTS_AROUND);
      const { cos, sin, abs } = Math;
      const reach = radius * (abs(cos(manifest.binAngle)) + abs(sin(manifest.binAngle)));
      const data = largeDots(grid.grid.inside(grown(around, reach), xy.length), xy, rgba);
      part = { of: content, box: around, data };
    }
    return { dots: part.data, isPart: true, onlyEdges };
  };
}
