import { area, contains, scaledBox, widened } from "../geometry/boxes.ts";
import type { Box, PointGrid } from "../geometry/point-grid.ts";
import { polygonTiles, type PolygonTile } from "../source/polygon-tiles.ts";
import type { ViewSource } from "../source/source.ts";
import { largeDots, type DotData } from "./dot-data.ts";
import { outlineColors, outlineShape, type OutlineMesh } from "./outline-shape.ts";

/** Work is done once the view has been still this long, or at the latest after the longer time. */
const AFTER_MS = 60;
const AT_LATEST_MS = 240;

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
/** Margin around the view within which outlines are fetched, as a fraction of its size. */
const AROUND = 0.25;
/** Margin around the view within which outlines are drawn, so that a small move needs no new ones. */
const DRAWN_AROUND = 0.1;
/** Outlines are collected again once the drawn area exceeds the needed area by this factor. */
const TOO_MUCH = 4;

export type NearCells = ReturnType<typeof nearCells>;

/** The cells of one view and the file that holds their outlines. */
export interface OutlinedCells {
  source: ViewSource;
  file: string;
  /** The file's column of offsets. */
  offsets: Uint32Array;
  positions: Float32Array;
  grid: PointGrid;
}

/** Outlines of several tiles, collected into one drawing. */
interface Collected {
  box: Box;
  tiles: ReadonlyMap<number, PolygonTile>;
  drawn: ReadonlySet<number>;
  data: OutlineData;
  rgba: Uint8Array;
}

/**
 * Cells of a close view: outlines where their tile has loaded, points elsewhere, so that nothing is missing while the
 * view moves or tiles load. `onChange`: call `look` again.
 */
export function nearCells(
  { source, file, offsets, positions, grid }: OutlinedCells,
  onChange: () => void,
  onMissing: (isMissing: boolean) => void,
) {
  const { tissue, polygonTiles: layout } = source.manifest;
  const tiles = polygonTiles(source, { ...layout, file }, offsets, onChange, onMissing);
  const still = onceStill(onChange);
  let collected: Collected | undefined;
  let points: { box: Box; rgba: Uint8Array; of: object | undefined; data: DotData } | undefined;

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
    /** What to draw for the cells in `box` (drawing units); undefined if there are too many. */
    look(box: Box, rgba: Uint8Array): NearDrawing | undefined {
      if (grid.inside(box, MAX_OUTLINES).length > MAX_OUTLINES) return undefined;
      const wanted = widened(box, DRAWN_AROUND);
      // Prefetch outlines farther out without drawing them.
      tiles.within(scaledBox(widened(box, AROUND), tissue.scale));
      const here = tiles.within(scaledBox(wanted, tissue.scale));
      const suits = collected !== undefined && isEnough(collected, box, wanted, here);
      // Immediately if nothing is drawn yet, otherwise once the view is still.
      if (here.size > 0 && !suits && still.mayStart(!collected)) {
        collected = collect(here, 1 / tissue.scale, wanted, rgba);
      } else if (collected && collected.rgba !== rgba) {
        const { mesh } = collected.data;
        collected = { ...collected, data: { mesh, rgba: outlineColors(mesh, rgba) }, rgba };
      }
      return { outlines: collected?.data, points: () => pointsIn(box, rgba) };
    },
    /** Whether outlines are still to be loaded or collected. */
    isWaiting: () => tiles.isWaiting() || still.isWaiting(),
    close(): void {
      still.close();
      tiles.close();
    },
  };
}

/** Whether the collected outlines suit `box`: all that have loaded, and not many more. */
function isEnough(
  collected: Collected,
  box: Box,
  wanted: Box,
  here: ReadonlyMap<number, PolygonTile>,
): boolean {
  return (
    contains(collected.box, box) &&
    area(collected.box) <= TOO_MUCH * area(wanted) &&
    [...here.keys()].every((tile) => collected.tiles.has(tile))
  );
}

function collect(
  tiles: ReadonlyMap<number, PolygonTile>,
  factor: number,
  box: Box,
  rgba: Uint8Array,
): Collected {
  const mesh = outlineShape([...tiles.values()], factor, box);
  const drawn = new Set(mesh.cells);
  return { box, tiles, drawn, data: { mesh, rgba: outlineColors(mesh, rgba) }, rgba };
}

/** Puts off work that is too slow for every frame of a moving view. */
function onceStill(again: () => void) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let waitingSince = 0;
  let ready = true;
  return {
    /** Whether it may be done now, always if `atOnce`; if not, `again` is called when it may. */
    mayStart(atOnce: boolean): boolean {
      const now = performance.now();
      if (atOnce || ready || (waiting && now - waitingSince > AT_LATEST_MS)) {
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
        again();
      }, AFTER_MS);
      return false;
    },
    /** Whether `again` is still to be called. */
    isWaiting: () => waiting !== undefined,
    close: () => clearTimeout(waiting),
  };
}
