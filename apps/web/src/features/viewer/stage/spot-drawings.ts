import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { DotData } from "./dot-layer.ts";
import { contains, dotData, largeDots, widened } from "./near-cells.ts";
import { pointGrid, type Box, type PointGrid } from "./point-grid.ts";
import type { SpotContent } from "./scene-interface.ts";
import { LARGE_FROM_PX, spotRadius, type SpotDrawing } from "./scene-layers.ts";

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
      const { minX, minY, maxX, maxY } = widened(box, SPOTS_AROUND);
      const { cos, sin, abs } = Math;
      const reach = radius * (abs(cos(manifest.binAngle)) + abs(sin(manifest.binAngle)));
      const reaching = {
        minX: minX - reach,
        minY: minY - reach,
        maxX: maxX + reach,
        maxY: maxY + reach,
      };
      const data = largeDots(grid.grid.inside(reaching, xy.length), xy, rgba);
      part = { of: content, box: { minX, minY, maxX, maxY }, data };
    }
    return { dots: part.data, isPart: true, onlyEdges };
  };
}
