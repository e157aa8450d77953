import { isInk } from "../../optics/separate-stains.ts";
import type { StainPlanes } from "./stain-planes.ts";
import { GRID_PX, type Tile, type WorkingRect } from "./tile-plan.ts";

/** Measurements of each GRID_PX square in a tile's core, one plane each, in this order. */
export const QUALITY_PLANES = ["fine", "coarse", "noise", "ink", "density"] as const;
export type QualityPlane = (typeof QUALITY_PLANES)[number];

/** Sides of the blocks used to measure fine and coarse detail, px. */
const FINE_PX = 2;
const COARSE_PX = 8;
/** Sampling steps: noise is the same everywhere, so every NOISE_ROWS-th row; color varies slowly, so every COLOR_PX. */
const NOISE_ROWS = 16;
const COLOR_PX = 4;
/** Margin around a tile's core that is also used. */
const MARGIN_PX = 16;

/** Part of a tile: its pixels starting at (x, y), and where the core starts within it. */
interface Part extends WorkingRect {
  left: number;
  top: number;
}

interface Plane {
  data: Float32Array;
  width: number;
  height: number;
}

/**
 * Measures sharpness, ink, and darkness of each square in a tile: the mean squared Laplacian of the nuclear signal in
 * blocks of 2 × 2 and 8 × 8 px (detail that blur removes first and last) and in single pixels (noise); the fraction of
 * pixels whose color does not occur in tissue; and the optical density of the lightest of four blocks. Does not depend
 * on where the tile starts. O(pixels), a few operations each.
 */
export function tileQuality({ signal, planes, rgb }: StainPlanes, tile: Tile): Float32Array {
  const { core, outer } = tile;
  const columns = Math.ceil(core.width / GRID_PX);
  const nSquares = columns * Math.ceil(core.height / GRID_PX);
  const result = new Float32Array(nSquares * QUALITY_PLANES.length);
  const of = (name: QualityPlane): Float32Array => {
    const at = QUALITY_PLANES.indexOf(name) * nSquares;
    return result.subarray(at, at + nSquares);
  };
  const part = partOf(tile);
  const fine = halved(signal, outer.width, part);
  const half = halved(fine.data, fine.width, { ...fine, x: 0, y: 0 });
  const coarse = halved(half.data, half.width, { ...half, x: 0, y: 0 });
  detail(fine, part.left / FINE_PX, part.top / FINE_PX, GRID_PX / FINE_PX, columns, of("fine"));
  detail(
    coarse,
    part.left / COARSE_PX,
    part.top / COARSE_PX,
    GRID_PX / COARSE_PX,
    columns,
    of("coarse"),
  );
  const all = { data: signal, width: outer.width, height: outer.height };
  const [left, top] = [core.x - outer.x, core.y - outer.y];
  detail(all, left, top, GRID_PX, columns, of("noise"), NOISE_ROWS);
  if (rgb) colors(planes.slice(2), tile, columns, of("ink"), of("density"));
  return result;
}

/** The core with a margin. It starts on the grid, so that blocks are the same in every tile. */
function partOf({ core, outer }: Tile): Part {
  const left = Math.min(MARGIN_PX, core.x - outer.x);
  const top = Math.min(MARGIN_PX, core.y - outer.y);
  const [x, y] = [core.x - outer.x - left, core.y - outer.y - top];
  return {
    x,
    y,
    left,
    top,
    width: Math.min(left + core.width + MARGIN_PX, outer.width - x),
    height: Math.min(top + core.height + MARGIN_PX, outer.height - y),
  };
}

/** Means of 2 × 2 px; an odd last row or column is dropped. */
function halved(data: Float32Array, stride: number, part: WorkingRect): Plane {
  const width = part.width >> 1;
  const height = part.height >> 1;
  const result = new Float32Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    let at = (part.y + 2 * y) * stride + part.x;
    for (let x = 0; x < width; x++, at += 2, to++) {
      result[to] = (data[at] + data[at + 1] + data[at + stride] + data[at + stride + 1]) / 4;
    }
  }
  return { data: result, width, height };
}

/** Mean squared Laplacian over squares of `side` starting at (left, top), using every `everyRows`-th row. */
function detail(
  { data, width, height }: Plane,
  left: number,
  top: number,
  side: number,
  columns: number,
  means: Float32Array,
  everyRows = 1,
): void {
  const rows = means.length / columns;
  const sums = new Float64Array(columns);
  const counts = new Uint32Array(columns);
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    counts.fill(0);
    const last = Math.min(height - 1, top + (row + 1) * side);
    for (let y = Math.max(1, top + row * side + (everyRows >> 1)); y < last; y += everyRows) {
      for (let column = 0; column < columns; column++) {
        const from = Math.max(1, left + column * side);
        const end = Math.min(width - 1, left + (column + 1) * side);
        let sum = 0;
        for (let i = y * width + from; i < y * width + end; i++) {
          const value = 4 * data[i] - data[i - 1] - data[i + 1] - data[i - width] - data[i + width];
          sum += value * value;
        }
        sums[column] += sum;
        counts[column] += Math.max(0, end - from);
      }
    }
    for (let column = 0; column < columns; column++) {
      if (counts[column] > 0) means[row * columns + column] = sums[column] / counts[column];
    }
  }
}

/** Fraction of ink and density of the lightest quarter of each square, from red, green, and blue optical densities. */
function colors(
  [red, green, blue]: readonly Float32Array[],
  { core, outer }: Tile,
  columns: number,
  ink: Float32Array,
  density: Float32Array,
): void {
  const half = GRID_PX / 2;
  for (let square = 0; square < ink.length; square++) {
    const x0 = (square % columns) * GRID_PX;
    const y0 = Math.floor(square / columns) * GRID_PX;
    let [inked, seen, lightest] = [0, 0, Infinity];
    for (let quarter = 0; quarter < 4; quarter++) {
      let [sum, n] = [0, 0];
      const fromX = x0 + (quarter & 1) * half;
      const fromY = y0 + (quarter >> 1) * half;
      for (let y = fromY; y < Math.min(core.height, fromY + half); y += COLOR_PX) {
        const row = (y + core.y - outer.y) * outer.width + core.x - outer.x;
        for (let x = fromX; x < Math.min(core.width, fromX + half); x += COLOR_PX) {
          const i = row + x;
          if (isInk(red[i], green[i], blue[i])) inked++;
          sum += (red[i] + green[i] + blue[i]) / 3;
          n++;
        }
      }
      seen += n;
      if (n > 0) lightest = Math.min(lightest, sum / n);
    }
    ink[square] = inked / seen;
    density[square] = lightest;
  }
}
