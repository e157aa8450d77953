import type { StainModel } from "../../facts.ts";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";
import { inStretches } from "@stipple/numerics/in-stretches";
import { release } from "@stipple/numerics/release";
import { scaledChannel } from "../../optics/channel-background.ts";
import { opticalDensityTable, separateStains } from "../../optics/separate-stains.ts";
import { GRID_PX, type WorkingGrid, type WorkingRect } from "./tile-plan.ts";

export interface StainPlanes {
  /** Signal in which nuclei stand out, ≥ 0, unsmoothed. */
  signal: Float32Array;
  /** Planes to measure in cells, in the order of {@link planeNames}; the nuclear stain comes first. */
  planes: Float32Array[];
  /** Colors of a brightfield image, interleaved; null for fluorescence. */
  rgb: Uint8Array | null;
}

const MAX_CHANNELS = 6;

/** Names of an image's planes, nuclear stain first. */
export function planeNames(
  image: Pick<TissueImage, "channels" | "channelNames">,
  stain: StainModel,
): string[] {
  if (!stain.fluorescence) return ["hematoxylin", "eosin", "od_red", "od_green", "od_blue"];
  return channelOrder(image.channels, stain.fluorescence.nuclearChannel).map((channel) => {
    const name = image.channelNames[channel]?.toLowerCase().replace(/[^a-z0-9]+/g, "_");
    return name ? `channel_${channel + 1}_${name}` : `channel_${channel + 1}`;
  });
}

function channelOrder(channels: number, nuclear: number): number[] {
  const others = Array.from({ length: channels }, (_, channel) => channel).filter(
    (channel) => channel !== nuclear,
  );
  return [nuclear, ...others].slice(0, MAX_CHANNELS);
}

/** Reads a rectangle of the working grid and separates its stains. O(pixels read). */
export async function readStainPlanes(
  image: TissueImage,
  stain: StainModel,
  grid: WorkingGrid,
  rect: WorkingRect,
  signal?: AbortSignal,
): Promise<StainPlanes> {
  const pieces = resampledPieces(image, grid, rect, signal);
  if (!stain.fluorescence) {
    const rgb = new Uint8Array(3 * rect.width * rect.height);
    for (const { piece, region } of pieces) {
      const { data } = await image.getRegion(region);
      paste(data, piece, rgb, rect, 3);
      release(data);
    }
    return brightfieldPlanes(rgb, stain);
  }
  const { nuclearChannel } = stain.fluorescence;
  const { width, height } = rect;
  const place = { x: rect.x * grid.step, y: rect.y * grid.step, width, height, step: grid.step };
  const planes: Float32Array[] = [];
  for (const channel of channelOrder(image.channels, nuclearChannel)) {
    const values = new Uint16Array(rect.width * rect.height);
    for (const { piece, region } of pieces) {
      const { data } = await image.getChannel(channel, region);
      paste(data, piece, values, rect, 1);
      release(data);
    }
    planes.push(scaledChannel(values, stain.fluorescence, channel, place, image));
  }
  // Nuclei vary far more in brightness than in optical density; the square root lifts dim ones.
  return { signal: planes[0].map((value) => Math.sqrt(Math.min(1, value))), planes, rgb: null };
}

/**
 * Splits a rectangle into pieces that are resampled separately: the area beyond the grid's last multiple of GRID_PX
 * does not cover a whole number of image pixels and would stretch the rest slightly, differently in each tile.
 */
function resampledPieces(
  image: Pick<TissueImage, "widthPx" | "heightPx">,
  grid: WorkingGrid,
  rect: WorkingRect,
  signal: AbortSignal | undefined,
): { piece: WorkingRect; region: ImageRegion }[] {
  const columns = spans(rect.x, rect.width, grid.widthPx, grid.step, image.widthPx);
  const rows = spans(rect.y, rect.height, grid.heightPx, grid.step, image.heightPx);
  return rows.flatMap((row) =>
    columns.map((column) => ({
      piece: { x: column.at, y: row.at, width: column.length, height: row.length },
      region: {
        x: column.from,
        y: row.from,
        width: column.to - column.from,
        height: row.to - row.from,
        outWidth: column.length,
        outHeight: row.length,
        signal,
      },
    })),
  );
}

/** Splits a side into one or two pieces, in working px (at, length) and image px (from … to). */
function spans(
  start: number,
  length: number,
  gridSize: number,
  step: number,
  imageSize: number,
): { at: number; length: number; from: number; to: number }[] {
  const last = Math.floor(gridSize / GRID_PX) * GRID_PX;
  const cuts = step !== 1 && start < last && start + length > last ? [last] : [];
  const ends = [...cuts, start + length];
  return ends.map((end, k) => {
    const at = k === 0 ? start : ends[k - 1];
    const from = Math.min(imageSize - 1, Math.round(at * step));
    const to = Math.max(from + 1, Math.min(imageSize, Math.round(end * step)));
    return { at, length: end - at, from, to };
  });
}

/** Copies a piece with `samples` values per pixel to its place in a rectangle. */
function paste<T extends Uint8Array | Uint16Array>(
  data: T,
  piece: WorkingRect,
  target: T,
  rect: WorkingRect,
  samples: number,
): void {
  const row = samples * piece.width;
  for (let y = 0; y < piece.height; y++) {
    const to = samples * ((piece.y - rect.y + y) * rect.width + piece.x - rect.x);
    target.set(data.subarray(y * row, (y + 1) * row), to);
  }
}

/**
 * Hematoxylin and eosin in units of the slide's 99th percentile, and the optical density of each color. Nuclei are
 * detected in the red optical density: eosin hardly absorbs red, so this does not depend on the stain vectors.
 */
export function brightfieldPlanes(rgb: Uint8Array, stain: StainModel): StainPlanes {
  const { hematoxylin, eosin } = separateStains(rgb, stain);
  const n = hematoxylin.length;
  const tables = stain.background.map(opticalDensityTable);
  const densities = tables.map(() => new Float32Array(n));
  inStretches(n, (from, to) => {
    divide(hematoxylin, stain.maxHematoxylin, from, to);
    divide(eosin, stain.maxEosin, from, to);
    for (const [c, density] of densities.entries()) lookUp(density, tables[c], rgb, c, from, to);
  });
  return { signal: densities[0], planes: [hematoxylin, eosin, ...densities], rgb };
}

function divide(values: Float32Array, by: number, from: number, to: number): void {
  for (let i = from; i < to; i++) values[i] /= by;
}

function lookUp(
  density: Float32Array,
  table: Float32Array,
  rgb: Uint8Array,
  channel: number,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) density[i] = table[rgb[3 * i + channel]];
}
