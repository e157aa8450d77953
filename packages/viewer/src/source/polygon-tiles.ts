import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { ViewSource } from "./source.ts";
import type { Box } from "../geometry/point-grid.ts";

/**
 * Outlines of the cells in one tissue tile: ring i has vertices starts[i] ≤ v < starts[i + 1], in full-resolution px.
 */
export interface PolygonTile {
  cells: Uint32Array;
  starts: Uint32Array;
  xy: Float32Array;
}

/** Parses a tile; the contract defines its layout (`polygonTiles`). */
export function parsePolygonTile(bytes: ArrayBuffer): PolygonTile {
  if (bytes.byteLength < 4)
    return { cells: new Uint32Array(), starts: Uint32Array.of(0), xy: new Float32Array() };
  const n = new Uint32Array(bytes, 0, 1)[0]!;
  const starts = new Uint32Array(bytes, 4 + 4 * n, n + 1);
  return {
    cells: new Uint32Array(bytes, 4, n),
    starts,
    xy: new Float32Array(bytes, 4 * (2 * n + 2), 2 * starts[n]!),
  };
}

/** Size of the LRU tile cache. At about 60 kB per tile, roughly 30 MB. */
const MAX_KEPT = 512;
/** How long tiles of a failed request are not requested again. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

export interface PolygonTiles {
  /**
   * Loaded tiles that intersect `box` (full-resolution px), by number; missing ones are fetched, then `onArrival` is
   * called.
   */
  within(box: Box): Map<number, PolygonTile>;
  /** Whether some are on their way. */
  isWaiting(): boolean;
  /** Aborts pending requests. */
  close(): void;
}

/** Fetches outlines tile by tile as they come into view. `offsets`: the file's offset column. */
export function polygonTiles(
  source: ViewSource,
  { file, tileSidePx, columns, rows }: ViewerManifest["polygonTiles"],
  offsets: Uint32Array,
  onArrival: () => void,
  onMissing: (isMissing: boolean) => void,
): PolygonTiles {
  const here = new Map<number, PolygonTile>();
  const onTheWay = new Set<number>();
  const closing = new AbortController();

  async function fetchRow(first: number, last: number): Promise<void> {
    for (let tile = first; tile <= last; tile++) onTheWay.add(tile);
    const release = () => {
      for (let tile = first; tile <= last; tile++) onTheWay.delete(tile);
    };
    try {
      // Neighbors in a row are contiguous in the file: one request for all.
      const from = offsets[first]!;
      const bytes =
        offsets[last + 1]! > from
          ? await source.range(file, from, offsets[last + 1]!, closing.signal)
          : new ArrayBuffer();
      for (let tile = first; tile <= last; tile++) {
        here.set(
          tile,
          parsePolygonTile(bytes.slice(offsets[tile]! - from, offsets[tile + 1]! - from)),
        );
      }
      for (const tile of here.keys()) {
        if (here.size <= MAX_KEPT) break;
        here.delete(tile);
      }
      release();
      onMissing(false);
      onArrival();
    } catch {
      if (closing.signal.aborted) return;
      setTimeout(() => {
        release();
        // Makes the view look again and so re-request what is still in view.
        if (!closing.signal.aborted) onArrival();
      }, PAUSE_AFTER_FAILURE_MS);
      onMissing(true);
    }
  }

  const clamp = (value: number, most: number) =>
    Math.min(most - 1, Math.max(0, Math.floor(value / tileSidePx)));

  return {
    within({ minX, minY, maxX, maxY }) {
      const [left, right] = [clamp(minX, columns), clamp(maxX, columns)];
      const found = new Map<number, PolygonTile>();
      for (let row = clamp(minY, rows); row <= clamp(maxY, rows); row++) {
        let first = -1;
        // Go one past the end to close the last run of missing tiles.
        for (let column = left; column <= right + 1; column++) {
          const tile = row * columns + column;
          const known = column > right ? undefined : here.get(tile);
          if (known) {
            here.delete(tile);
            here.set(tile, known);
            found.set(tile, known);
          }
          const missing = column <= right && !known && !onTheWay.has(tile);
          if (missing && first < 0) first = tile;
          if (!missing && first >= 0) {
            void fetchRow(first, tile - 1);
            first = -1;
          }
        }
      }
      return found;
    },
    isWaiting: () => onTheWay.size > 0,
    close: () => closing.abort(),
  };
}
