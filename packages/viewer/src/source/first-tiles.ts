import type { LayerChoices, Place, ViewName } from "../choices.ts";
import { tissueTile, type TissueImage } from "./deep-zoom.ts";
import type { Box } from "../geometry/point-grid.ts";
import { fitMargin, fitView, visibleBox, type StageSize } from "../geometry/view-fit.ts";
import type { ViewSource } from "./source.ts";

/** Prefetch limit: only large screens need more tiles, and those are requested normally. */
const MAX_TILES = 32;
/** Width of the panels next to the stage in wide windows, CSS px. */
const PANELS_PX = 380;
const WIDE_FROM_PX = 768;
/** Unclaimed tiles are discarded after this time. */
const KEPT_MS = 30_000;

const ahead = new WeakMap<ViewSource, Map<string, Promise<ImageBitmap>>>();

/** What is shown first. */
export interface FirstShown {
  layers: LayerChoices;
  arrangement: ViewName | "both";
  places: Readonly<Record<ViewName, Place | null>>;
}

/**
 * Requests the tissue's first tiles as soon as the manifest is known, before the page and its drawing exist. The
 * stage's size is a guess: wrong tiles only cost bandwidth.
 */
export function fetchFirstTiles(
  source: ViewSource,
  { layers, arrangement, places }: FirstShown,
): void {
  const { tissue, channels } = source.manifest;
  if (!layers.tissue || arrangement === "umap" || channels !== null || ahead.has(source)) return;
  const { innerWidth, innerHeight } = window;
  const room = innerWidth < WIDE_FROM_PX ? innerWidth : innerWidth - PANELS_PX;
  const size = { width: arrangement === "both" ? room / 2 : room, height: innerHeight };
  const paths = firstTiles(tissue, size, places.tissue, levelsAbove());
  if (paths.length > MAX_TILES) return;
  const tiles = new Map(paths.map((path) => [path, source.tile(path)]));
  // Whoever claims a tile handles its failure.
  for (const tile of tiles.values()) tile.catch(() => undefined);
  ahead.set(source, tiles);
  setTimeout(() => {
    for (const tile of tiles.values()) tile.then((image) => image.close()).catch(() => undefined);
    tiles.clear();
  }, KEPT_MS);
}

/** Claims a prefetched tile (once each), or requests it now. */
export function takeTile(
  source: ViewSource,
  path: string,
  signal?: AbortSignal,
): Promise<ImageBitmap> {
  const tiles = ahead.get(source);
  const tile = tiles?.get(path);
  tiles?.delete(path);
  return tile ?? source.tile(path, signal);
}

/** High-DPI screens use the next larger level, so that a screen pixel shows an image pixel. */
export function levelsAbove(): number {
  return window.devicePixelRatio >= 1.5 ? 1 : 0;
}

/** Paths of the tiles in view on a stage of this size, from the center outward. */
export function firstTiles(
  image: TissueImage,
  { width, height }: StageSize,
  place: { x: number; y: number; zoom: number } | null,
  above: number,
): string[] {
  const whole: Box = { minX: 0, minY: 0, maxX: image.widthPx, maxY: image.heightPx };
  const view = place
    ? { target: [place.x, place.y, 0] as [number, number, number], zoom: place.zoom }
    : fitView(whole, width, height, fitMargin(width));
  const { minX, minY, maxX, maxY } = visibleBox(view, width, height);
  const level = Math.min(0, Math.ceil(view.zoom) + above);
  const side = image.tileSize * 2 ** -level;
  const found: { path: string; square: number }[] = [];
  const last = { x: Math.ceil(image.widthPx / side), y: Math.ceil(image.heightPx / side) };
  for (let y = Math.max(0, Math.floor(minY / side)); y < last.y && y * side < maxY; y++) {
    for (let x = Math.max(0, Math.floor(minX / side)); x < last.x && x * side < maxX; x++) {
      const tile = tissueTile(image, x, y, level);
      const square =
        ((x + 0.5) * side - view.target[0]) ** 2 + ((y + 0.5) * side - view.target[1]) ** 2;
      if (tile) found.push({ path: tile.path, square });
    }
  }
  return found.sort((a, b) => a.square - b.square).map(({ path }) => path);
}
