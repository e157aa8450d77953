import type { DetectionLook } from "@stipple/contract/routes/detection";
import { InputError } from "../../errors.ts";
import { base64Of, reducedTissue, webp } from "../../readers/images/reduced-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import { isQuickToSee } from "../../optics/inspect-image.ts";
import type { StepContext } from "../../step.ts";
import { outlinesOf } from "./analyze-tile.ts";
import { candidatesOf, nucleiAmong } from "./decode-maps.ts";
import { mapsOf } from "./find-nuclei.ts";
import { networkFinder, type PreparedSlide } from "./network-finder.ts";
import { nucleiOf } from "./nuclei-from-maps.ts";
import { readStainPlanes } from "./stain-planes.ts";
import type { MorphologyParameters } from "./step.ts";
import {
  GRID_PX,
  networkHalo,
  workingGrid,
  workingScale,
  type Tile,
  type WorkingGrid,
  type WorkingRect,
} from "./tile-plan.ts";
import { areaSums } from "@stipple/numerics/area-sums";
import type { Matrix } from "@stipple/numerics/matrices";

/** Side of the tile, and the longer side of the overview. */
const TILE_UM = 256;
const OVERVIEW_PX = 400;
const QUALITY = 85;
/** Thresholds that are tried in addition to the chosen one. */
const STEP = 0.05;

/**
 * Finds the nuclei of one tile as step 2 would, at thresholds all over the range: the network runs once. `place`: middle
 * of the tile, full-resolution px; null = the densest tissue. Reads what the first two steps have left. Throws
 * {@link InputError} for an image in which nuclei cannot be found. Seconds.
 */
export async function previewDetection(
  context: Pick<
    StepContext<MorphologyParameters>,
    "files" | "read" | "params" | "settings" | "signal"
  >,
  place: readonly [number, number] | null,
): Promise<DetectionLook> {
  const { read, params } = context;
  const facts = await read("sample/image");
  if (facts.source !== "none" && facts.micronsPerPixel > params.coarsestUmPerPx) {
    throw new InputError(
      "The image is too coarse to see nuclei, so there is no threshold to choose.",
    );
  }
  const image = await openWorkingImage(context);
  if (image === null) throw new InputError("The sample has no image in which nuclei can be found.");
  return previewOn(image, context, place);
}

async function previewOn(
  image: TissueImage,
  { read, params, settings, signal }: Parameters<typeof previewDetection>[0],
  place: readonly [number, number] | null,
): Promise<DetectionLook> {
  const { scale, micronsPerPixel } = await read("sample/image");
  const [stain, mask] = [await read("image/stain"), await read("image/tissue_mask")];
  const grid = workingGrid(
    { widthPx: image.widthPx, heightPx: image.heightPx, micronsPerPixel },
    workingScale(micronsPerPixel, params),
  );
  const options = params.nuclei.network;
  const finder = await networkFinder({ image, stain, mask, grid }, options, settings.seed, signal);
  const middle = place
    ? [place[0] / scale / image.widthPx, place[1] / scale / image.heightPx]
    : await densestPlace({ image, stain, mask }, micronsPerPixel, TILE_UM, signal);
  const tile = tileAround(grid, middle);
  const { outer, core } = tile;
  const stains = await readStainPlanes(image, stain, grid, outer, signal);
  const maps = await mapsOf(finder, stains, outer.width, outer.height);
  const found = candidatesOf(maps, options);
  const thresholds = thresholdsWith(options.minScore);
  const rings = thresholds.map((minScore) => {
    const { width, height } = outer;
    const nuclei = nucleiOf(
      nucleiAmong(found, minScore),
      maps,
      width,
      height,
      options,
      grid.umPerPx,
    );
    return outlinesOf(nuclei, width, height).filter((ring) => isMostlyIn(ring, tile));
  });
  const toFull = grid.step * scale;
  return {
    image_width_px: image.widthPx * scale,
    image_height_px: image.heightPx * scale,
    microns_per_pixel: micronsPerPixel / scale,
    ...{ x: core.x * toFull, y: core.y * toFull },
    ...{ width_px: core.width * toFull, height_px: core.height * toFull },
    picture: base64Of(await pictureOf(image, grid, core, signal)),
    overview: isQuickToSee(image)
      ? base64Of(await reducedTissue(image, OVERVIEW_PX, QUALITY, signal))
      : null,
    thresholds,
    outlines: spans(rings).map(({ ring, ...span }) => ({
      ...span,
      xy: ring.map(
        (value, at) =>
          Math.round(10 * toFull * (value - (at % 2 ? core.y - outer.y : core.x - outer.x))) / 10,
      ),
    })),
  };
}

/** A tile that contains a place (fractions of the image's sides) in its middle, as far as the image reaches. */
function tileAround(grid: WorkingGrid, [u, v]: readonly number[]): Pick<Tile, "core" | "outer"> {
  const side = Math.round(TILE_UM / grid.umPerPx / GRID_PX) * GRID_PX;
  const halo = networkHalo(grid.umPerPx);
  const along = (at: number, size: number, around: number): [number, number] => {
    const most = Math.max(0, Math.floor((size - side) / GRID_PX) * GRID_PX);
    const start = Math.round((at * size - side / 2) / GRID_PX) * GRID_PX;
    const from = Math.max(0, Math.min(most, start));
    const [low, high] = [Math.max(0, from - around), Math.min(size, from + side + around)];
    return [low, high - low];
  };
  const rect = (around: number): WorkingRect => {
    const [x, width] = along(u, grid.widthPx, around);
    const [y, height] = along(v, grid.heightPx, around);
    return { x, y, width, height };
  };
  return { core: rect(0), outer: rect(halo) };
}

function thresholdsWith(chosen: number): number[] {
  const tried = Array.from({ length: Math.round(1 / STEP) - 1 }, (_, at) =>
    Number(((at + 1) * STEP).toFixed(2)),
  );
  return [...new Set([...tried, chosen])].sort((a, b) => a - b);
}

/** Whether the middle of an outline's corners lies in the tile. */
function isMostlyIn(
  ring: readonly number[],
  { core, outer }: Pick<Tile, "core" | "outer">,
): boolean {
  const mean = (axis: 0 | 1): number =>
    ring.reduce((sum, value, at) => sum + (at % 2 === axis ? value : 0), 0) / (ring.length / 2);
  const [x, y] = [mean(0) + outer.x - core.x, mean(1) + outer.y - core.y];
  return x >= 0 && y >= 0 && x < core.width && y < core.height;
}

/** Each outline once for every run of thresholds at which it is the same. */
function spans(rings: readonly number[][][]): { from: number; to: number; ring: number[] }[] {
  const all: { from: number; to: number; ring: number[] }[] = [];
  let last = new Map<string, (typeof all)[number]>();
  rings.forEach((found, at) => {
    const now: typeof last = new Map();
    for (const ring of found) {
      const key = ring.join();
      const span = last.get(key) ?? { from: at, to: at, ring };
      if (!last.has(key)) all.push(span);
      span.to = at;
      now.set(key, span);
    }
    last = now;
  });
  return all;
}

async function pictureOf(
  image: TissueImage,
  { step }: WorkingGrid,
  core: WorkingRect,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { data } = await image.getRegion({
    x: Math.round(core.x * step),
    y: Math.round(core.y * step),
    width: Math.round(core.width * step),
    height: Math.round(core.height * step),
    ...{ outWidth: core.width, outHeight: core.height, signal },
  });
  return webp(data, core.width, core.height, QUALITY);
}

/** Resolution at which density is compared, µm per pixel. */
const COARSE_UM = 8;

/**
 * Middle of the square of `sideUm` with the most nuclear stain on tissue, as fractions of the image's sides. On an image
 * that is slow to see whole, the square with the most tissue.
 */
async function densestPlace(
  { image, stain, mask }: Omit<PreparedSlide, "grid">,
  micronsPerPixel: number,
  sideUm: number,
  signal: AbortSignal,
): Promise<[number, number]> {
  if (!isQuickToSee(image))
    return densest(mask, (sideUm / micronsPerPixel / image.widthPx) * mask.nCols);
  const grid = workingGrid({ ...image, micronsPerPixel }, Math.max(COARSE_UM, micronsPerPixel));
  const [width, height] = [grid.widthPx, grid.heightPx];
  const { planes } = await readStainPlanes(
    image,
    stain,
    grid,
    { x: 0, y: 0, width, height },
    signal,
  );
  const onTissue = planes[0].map((value, at) => {
    const row = Math.floor((Math.floor(at / width) / height) * mask.nRows);
    const column = Math.floor(((at % width) / width) * mask.nCols);
    // A speck of dirt is darker than any nucleus.
    return mask.data[row * mask.nCols + column] ? Math.min(1, value) : 0;
  });
  return densest({ data: onTissue, nRows: height, nCols: width }, sideUm / grid.umPerPx);
}

/** Middle of the square with the greatest sum. O(values). */
export function densest(
  { data, nRows, nCols }: Matrix<Float32Array | Uint8Array>,
  side: number,
): [number, number] {
  const [wide, high] = [nCols, nRows].map((most) => Math.max(1, Math.min(most, Math.round(side))));
  const sumOf = areaSums(data, nCols, nRows);
  let best = -1;
  let place: [number, number] = [0.5, 0.5];
  for (let row = 0; row + high <= nRows; row++) {
    for (let column = 0; column + wide <= nCols; column++) {
      const sum = sumOf(column, row, column + wide, row + high);
      if (sum <= best) continue;
      best = sum;
      place = [(column + wide / 2) / nCols, (row + high / 2) / nRows];
    }
  }
  return place;
}
