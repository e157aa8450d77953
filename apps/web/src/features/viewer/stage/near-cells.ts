import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { DotData } from "./dot-layer.ts";
import { outlineColors, outlineShape, type OutlineMesh } from "./outline-shape.ts";
import type { Box, PointGrid } from "./point-grid.ts";
import { polygonTiles, type PolygonTile, type PolygonTiles } from "./polygon-tiles.ts";

/** Outlines with their colors. If the mesh is unchanged, only colors are uploaded again. */
export interface OutlineData {
  mesh: OutlineMesh;
  /** Color of each mesh vertex. */
  rgba: Uint8Array;
}

/** How cells are drawn in a close view. */
export interface NearDrawing {
  outlines: OutlineData | undefined;
  /** Cells in view without an outline, or whose outline has not loaded yet. */
  points(): DotData;
}

/** With more cells than this in view, they are drawn as points, however close. */
export const MAX_OUTLINES = 12_000;
/** Outlines are collected once the view has been still this long, or at the latest after the longer time. */
const COLLECT_AFTER_MS = 60;
const COLLECT_AT_LATEST_MS = 240;
/** Margin around the view within which outlines are fetched, as a fraction of its size. */
const AROUND = 0.25;
/** Margin around the view within which outlines are drawn, so that a small move needs no new ones. */
const DRAWN_AROUND = 0.1;
/** Outlines are collected again once the drawn area exceeds the needed area by this factor. */
const TOO_MUCH = 4;

export interface NearCells {
  /** What to draw for the cells in `box` (drawing units); undefined if there are too many. */
  look(box: Box, rgba: Uint8Array): NearDrawing | undefined;
  close(): void;
}

/**
 * Cells of a close view: outlines where their tile has loaded, points elsewhere, so that nothing is missing while the
 * view moves or tiles load. `onChange`: call `look` again.
 */
export function nearCells(
  source: ViewerSource,
  manifest: ViewerManifest,
  /** The file of tiled outlines. */
  file: string,
  positions: Float32Array,
  grid: PointGrid,
  offsets: Uint32Array,
  onChange: () => void,
  onMissing: (isMissing: boolean) => void,
): NearCells {
  const { scale } = manifest.tissue;
  const tiles: PolygonTiles = polygonTiles(
    source,
    { ...manifest.polygonTiles, file },
    offsets,
    onChange,
    onMissing,
  );
  let collected:
    | {
        box: Box;
        tiles: ReadonlyMap<number, PolygonTile>;
        drawn: ReadonlySet<number>;
        data: OutlineData;
        rgba: Uint8Array;
      }
    | undefined;
  let points: { box: Box; rgba: Uint8Array; of: object | undefined; data: DotData } | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let waitingSince = 0;
  let ready = true;

  /** Whether the collected outlines suit `box`: all that have loaded, and not many more. */
  function isCollected(box: Box, wanted: Box, here: ReadonlyMap<number, PolygonTile>): boolean {
    return (
      collected !== undefined &&
      contains(collected.box, box) &&
      area(collected.box) <= TOO_MUCH * area(wanted) &&
      [...here.keys()].every((tile) => collected?.tiles.has(tile))
    );
  }

  /** Collect immediately if nothing is drawn yet, otherwise once the view is still. */
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
    const chosen = grid
      .inside(wide, 4 * MAX_OUTLINES)
      .filter((cell) => !collected?.drawn.has(cell));
    points = { box: wide, rgba, of: collected, data: largeDots(chosen, positions, rgba) };
    return points.data;
  }

  return {
    look(box, rgba) {
      if (grid.inside(box, MAX_OUTLINES).length > MAX_OUTLINES) return undefined;
      const wanted = widened(box, DRAWN_AROUND);
      // Prefetch outlines farther out without drawing them.
      tiles.within(scaledBox(widened(box, AROUND), scale));
      const here = tiles.within(scaledBox(wanted, scale));
      if (here.size > 0 && !isCollected(box, wanted, here) && mayCollect()) {
        const mesh = outlineShape([...here.values()], 1 / scale, wanted);
        collected = {
          box: wanted,
          tiles: here,
          drawn: new Set(mesh.cells),
          data: { mesh, rgba: outlineColors(mesh, rgba) },
          rgba,
        };
      } else if (collected && collected.rgba !== rgba) {
        const { mesh } = collected.data;
        collected = { ...collected, data: { mesh, rgba: outlineColors(mesh, rgba) }, rgba };
      }
      return { outlines: collected?.data, points: () => pointsIn(box, rgba) };
    },
    close() {
      clearTimeout(waiting);
      tiles.close();
    },
  };
}

/** Arrays that draw some of the points as large dots: six vertices each. */
export function largeDots(chosen: Uint32Array, positions: Float32Array, rgba: Uint8Array): DotData {
  const xy = new Float32Array(12 * chosen.length);
  const colors = new Uint8Array(24 * chosen.length);
  chosen.forEach((point, at) => {
    const place = positions.subarray(2 * point, 2 * point + 2);
    const color = rgba.subarray(4 * point, 4 * point + 4);
    for (let corner = 6 * at; corner < 6 * at + 6; corner++) {
      xy.set(place, 2 * corner);
      colors.set(color, 4 * corner);
    }
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

function area({ minX, minY, maxX, maxY }: Box): number {
  return (maxX - minX) * (maxY - minY);
}

function scaledBox({ minX, minY, maxX, maxY }: Box, factor: number): Box {
  return {
    minX: minX * factor,
    minY: minY * factor,
    maxX: maxX * factor,
    maxY: maxY * factor,
  };
}
