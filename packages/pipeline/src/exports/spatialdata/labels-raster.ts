import { pause } from "../../engine/pause.ts";
import { ringSpans } from "@stipple/numerics/fill-ring";
import { boxOf } from "@stipple/numerics/boxes";
import { cellRing, type Outlines } from "../rings.ts";
import type { ZarrFolder } from "@stipple/formats/zarr/zarr-folder";
import { axesOf, transformations } from "./transformations.ts";

export interface LabelFrame {
  /** Extent of the raster from the origin, full-resolution pixels. */
  widthPx: number;
  heightPx: number;
  /** Full-resolution pixels per pixel of the largest level. */
  step: number;
}

const CHUNK_PX = 1024;
const AXES = ["y", "x"];

/** One level of the pyramid. */
interface Level {
  name: string;
  width: number;
  height: number;
  /** Full-resolution pixels per pixel. */
  step: number;
  shrink: number;
}

function levelsOf({ widthPx, heightPx, step }: LabelFrame): Level[] {
  const width = Math.max(1, Math.ceil(widthPx / step));
  const height = Math.max(1, Math.ceil(heightPx / step));
  const levels: Level[] = [];
  for (let n = 0; ; n++) {
    const shrink = 2 ** n;
    const level = { width: Math.ceil(width / shrink), height: Math.ceil(height / shrink) };
    levels.push({ ...level, name: `s${n}`, step: step * shrink, shrink });
    if (Math.max(level.width, level.height) <= CHUNK_PX) return levels;
  }
}

function chunkShapeOf({ width, height }: Level): [rows: number, columns: number] {
  return [Math.min(CHUNK_PX, height), Math.min(CHUNK_PX, width)];
}

/** Declares a pyramid of int32 rasters whose chunks `drawLabels` writes. */
export function declareLabels(
  folder: ZarrFolder,
  path: string,
  frame: LabelFrame & { micronsPerPixel: number },
): void {
  const levels = levelsOf(frame);
  folder.group(path);
  for (const level of levels) {
    folder.declare(`${path}/${level.name}`, {
      shape: [level.height, level.width],
      chunkShape: chunkShapeOf(level),
      type: "int32",
      dimensionNames: AXES,
    });
  }
  const { step, micronsPerPixel } = frame;
  folder.describe(path, {
    ome: {
      version: "0.5-dev-spatialdata",
      multiscales: [
        {
          name: path.slice(path.lastIndexOf("/") + 1),
          datasets: levels.map(({ name, shrink }) => ({
            path: name,
            coordinateTransformations: [{ type: "scale", scale: [shrink, shrink] }],
          })),
          axes: axesOf(AXES),
          coordinateTransformations: transformations(AXES, [step, step], micronsPerPixel),
        },
      ],
    },
    spatialdata_attrs: { version: "0.3" },
  });
}

/**
 * Draws the outlines into the chunks of a pyramid: a pixel holds the number, from 1, of the cell that contains its
 * center; 0 is background. Each level is drawn from the outlines, chunk by chunk, so memory is that of one chunk for
 * any slide. O(pixels inside cells).
 */
export async function drawLabels(
  folder: ZarrFolder,
  path: string,
  outlines: Outlines,
  { signal, ...frame }: LabelFrame & { signal: AbortSignal },
): Promise<void> {
  const boxes = boxesOf(outlines);
  for (const level of levelsOf(frame)) {
    await drawLevel(folder, `${path}/${level.name}`, { outlines, boxes }, level, signal);
  }
}

/** Left, top, right, and bottom of every cell. */
function boxesOf(outlines: Outlines): Float64Array {
  const boxes = new Float64Array(4 * outlines.xy.nRows);
  for (let cell = 0; cell < outlines.xy.nRows; cell++) {
    const { left, top, right, bottom } = boxOf(cellRing(outlines, cell));
    boxes.set([left, top, right, bottom], 4 * cell);
  }
  return boxes;
}

async function drawLevel(
  folder: ZarrFolder,
  path: string,
  { outlines, boxes }: { outlines: Outlines; boxes: Float64Array },
  level: Level,
  signal: AbortSignal,
): Promise<void> {
  const { step } = level;
  const [rows, columns] = chunkShapeOf(level);
  const pixels = new Int32Array(rows * columns);
  for (const { row, column, cells } of chunksOf(boxes, level)) {
    pixels.fill(0);
    let drawn = false;
    for (const cell of cells) {
      const ring = cellRing(outlines, cell);
      for (let p = 0; p < ring.length; p += 2) {
        ring[p] = ring[p] / step - column * columns;
        ring[p + 1] = ring[p + 1] / step - row * rows;
      }
      ringSpans(ring, columns, rows, (from, to) => {
        drawn = true;
        for (let pixel = from; pixel < to; pixel++) pixels[pixel] = cell + 1;
      });
    }
    // Chunks without a cell are left out and read as zeros.
    if (drawn) folder.chunk(path, [row, column], new Uint8Array(pixels.buffer));
    await pause(signal);
  }
}

/** The cells whose outlines reach into each chunk, ascending. */
function* chunksOf(
  boxes: Float64Array,
  level: Level,
): Generator<{ row: number; column: number; cells: number[] }> {
  const { step } = level;
  const [rows, columns] = chunkShapeOf(level);
  const across = Math.ceil(level.width / columns);
  const down = Math.ceil(level.height / rows);
  const chunks = Array.from({ length: across * down }, (): number[] => []);
  for (let cell = 0; cell < boxes.length / 4; cell++) {
    const [first, last] = [0, 2].map((i) => Math.floor(boxes[4 * cell + i] / step / columns));
    const [upper, lower] = [1, 3].map((i) => Math.floor(boxes[4 * cell + i] / step / rows));
    for (let row = Math.max(0, upper); row <= Math.min(down - 1, lower); row++) {
      for (let column = Math.max(0, first); column <= Math.min(across - 1, last); column++) {
        chunks[row * across + column].push(cell);
      }
    }
  }
  for (const [at, cells] of chunks.entries()) {
    if (cells.length > 0) yield { row: Math.floor(at / across), column: at % across, cells };
  }
}
