import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { DotData } from "./dot-layer.ts";
import { outlineColors, outlineShape, type OutlineShape } from "./outline-shape.ts";
import type { Box, PointGrid } from "./point-grid.ts";
import { polygonTiles, type PolygonTile, type PolygonTiles } from "./polygon-tiles.ts";

/** Outlines with their colours. The same shape = only colours are uploaded anew. */
export interface OutlineData {
  shape: OutlineShape;
  /** Of each vertex. */
  rgba: Uint8Array;
}

/** What is drawn of the cells when the view is near. */
export interface NearDrawing {
  outlines: OutlineData | undefined;
  /** Cells in view that have no outline, or whose outline is not here yet. */
  points: DotData;
}

/** More cells than this in view are drawn as points, however near. */
export const MOST_OUTLINES = 12_000;
/** Outlines are collected when the view has rested this long, or at the latest after the longer time. */
const COLLECT_AFTER_MS = 60;
const COLLECT_AT_LATEST_MS = 240;
/** Outlines are fetched this far around the view, in shares of its size. */
const AROUND = 0.25;
/** Cells reach into the view from this far beyond its edge, in shares of its size. */
const ACROSS_EDGE = 0.03;

export interface NearCells {
  /** What to draw for the cells in `box` (units of the drawing); undefined when they are too many. */
  look(box: Box, rgba: Uint8Array): NearDrawing | undefined;
  close(): void;
}

/**
 * Cells of a near view: outlines where their tile is here, points elsewhere, so that nothing is missing while the view
 * moves or tiles are on their way. `onChange`: look again.
 */
export function nearCells(
  source: ViewerSource,
  manifest: ViewerManifest,
  positions: Float32Array,
  grid: PointGrid,
  offsets: Uint32Array,
  onChange: () => void,
  onError: () => void,
): NearCells {
  const { scale } = manifest.tissue;
  const tiles: PolygonTiles = polygonTiles(source, manifest, offsets, onChange, onError);
  let collected:
    { tiles: Map<number, PolygonTile>; data: OutlineData; rgba: Uint8Array } | undefined;
  let points: { box: Box; rgba: Uint8Array; of: object | undefined; data: DotData } | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let waitingSince = 0;
  let ready = true;

  /** Collects now when nothing is drawn yet, else when the view rests. */
  function mayCollect(): boolean {
    const now = performance.now();
    if (!collected || ready || (waiting && now - waitingSince > COLLECT_AT_LATEST_MS)) {
      clearTimeout(waiting);
      waiting = undefined;
      ready = false;
      return true;
    }
    if (!waiting) waitingSince = now;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      waiting = undefined;
      ready = true;
      onChange();
    }, COLLECT_AFTER_MS);
    return false;
  }

  function pointsIn(box: Box, rgba: Uint8Array): DotData {
    if (points?.rgba === rgba && points.of === collected && contains(points.box, box))
      return points.data;
    const wide = widened(box, AROUND);
    const without = new Set(collected?.data.shape.without);
    const chosen = grid
      .inside(wide, 4 * MOST_OUTLINES)
      .filter(
        (cell) =>
          without.has(cell) ||
          !collected?.tiles.has(
            tiles.tileAt(positions[2 * cell]! * scale, positions[2 * cell + 1]! * scale),
          ),
      );
    points = { box: wide, rgba, of: collected, data: dotsOf(chosen, positions, rgba) };
    return points.data;
  }

  return {
    look(box, rgba) {
      if (grid.inside(box, MOST_OUTLINES).length > MOST_OUTLINES) return undefined;
      // Those around are fetched ahead, but not drawn: each is a thousand outlines.
      tiles.within(scaledBox(widened(box, AROUND), scale));
      const here = tiles.within(scaledBox(widened(box, ACROSS_EDGE), scale));
      const missing = [...here.keys()].some((tile) => !collected?.tiles.has(tile));
      if (missing && here.size > 0 && mayCollect()) {
        const shape = outlineShape([...here.values()], 1 / scale);
        collected = { tiles: here, data: { shape, rgba: outlineColors(shape, rgba) }, rgba };
      } else if (collected && collected.rgba !== rgba) {
        const { shape } = collected.data;
        collected = { ...collected, data: { shape, rgba: outlineColors(shape, rgba) }, rgba };
      }
      return { outlines: collected?.data, points: pointsIn(box, rgba) };
    },
    close() {
      clearTimeout(waiting);
      tiles.close();
    },
  };
}

/** The arrays of some of the points. */
export function dotsOf(chosen: Uint32Array, positions: Float32Array, rgba: Uint8Array): DotData {
  const xy = new Float32Array(2 * chosen.length);
  const colors = new Uint8Array(4 * chosen.length);
  chosen.forEach((point, at) => {
    xy[2 * at] = positions[2 * point]!;
    xy[2 * at + 1] = positions[2 * point + 1]!;
    colors.set(rgba.subarray(4 * point, 4 * point + 4), 4 * at);
  });
  return dotData(xy, colors);
}

export function dotData(xy: Float32Array, rgba: Uint8Array): DotData {
  return {
    length: xy.length / 2,
    attributes: {
      getPosition: { value: xy, size: 2 },
      getColor: { value: rgba, size: 4, normalized: true },
    },
  };
}

export function widened({ minX, minY, maxX, maxY }: Box, share: number): Box {
  const [x, y] = [share * (maxX - minX), share * (maxY - minY)];
  return { minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y };
}

export function contains(outer: Box, inner: Box): boolean {
  return (
    outer.minX <= inner.minX &&
    outer.minY <= inner.minY &&
    outer.maxX >= inner.maxX &&
    outer.maxY >= inner.maxY
  );
}

function scaledBox({ minX, minY, maxX, maxY }: Box, factor: number): Box {
  return {
    minX: minX * factor,
    minY: minY * factor,
    maxX: maxX * factor,
    maxY: maxY * factor,
  };
}
