import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import { fillRing } from "../../numerics/fill-ring.ts";
import { cellRing, type Outlines } from "../rings.ts";
import type { ZarrFolder } from "../zarr/zarr-folder.ts";
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

/**
 * Writes outlines as a pyramid of int32 rasters: a pixel holds the number of the cell that its center lies in, from 1; 0
 * is background. Each level is drawn from the outlines, chunk by chunk, so memory is that of one chunk for any slide.
 * O(pixels inside cells).
 */
export async function writeLabels(
  folder: ZarrFolder,
  path: string,
  outlines: Outlines,
  options: LabelFrame & { micronsPerPixel: number; signal: AbortSignal },
): Promise<void> {
  const { step, micronsPerPixel, signal } = options;
  const width = Math.max(1, Math.ceil(options.widthPx / step));
  const height = Math.max(1, Math.ceil(options.heightPx / step));
  folder.group(path);
  const datasets: object[] = [];
  for (let n = 0; ; n++) {
    const shrink = 2 ** n;
    const level = { width: Math.ceil(width / shrink), height: Math.ceil(height / shrink) };
    await writeLevel(folder, `${path}/s${n}`, outlines, { ...level, step: step * shrink, signal });
    datasets.push({
      path: `s${n}`,
      coordinateTransformations: [{ type: "scale", scale: [shrink, shrink] }],
    });
    if (Math.max(level.width, level.height) <= CHUNK_PX) break;
  }
  folder.describe(path, {
    ome: {
      version: "0.5-dev-spatialdata",
      multiscales: [
        {
          name: path.slice(path.lastIndexOf("/") + 1),
          datasets,
          axes: axesOf(AXES),
          coordinateTransformations: transformations(AXES, [step, step], micronsPerPixel),
        },
      ],
    },
    spatialdata_attrs: { version: "0.3" },
  });
}

async function writeLevel(
  folder: ZarrFolder,
  path: string,
  outlines: Outlines,
  level: { width: number; height: number; step: number; signal: AbortSignal },
): Promise<void> {
  const { width, height, step, signal } = level;
  const chunkShape = [Math.min(CHUNK_PX, height), Math.min(CHUNK_PX, width)];
  folder.declare(path, {
    shape: [height, width],
    chunkShape,
    type: "int32",
    dimensionNames: AXES,
  });
  const [rows, columns] = chunkShape;
  const pixels = new Int32Array(rows * columns);
  for (const { row, column, cells } of chunksOf(outlines, step, { width, height, rows, columns })) {
    pixels.fill(0);
    let drawn = 0;
    for (const cell of cells) {
      const ring = cellRing(outlines, cell).map(
        (value, i) => value / step - (i % 2 === 0 ? column * columns : row * rows),
      );
      drawn += fillRing(ring, columns, rows, (pixel) => (pixels[pixel] = cell + 1));
    }
    // Chunks without a cell are left out and read as zeros.
    if (drawn > 0) folder.chunk(path, [row, column], new Uint8Array(pixels.buffer));
    await setImmediate();
    throwIfCancelled(signal);
  }
}

/** The cells whose outlines reach into each chunk, ascending. */
function* chunksOf(
  outlines: Outlines,
  step: number,
  {
    width,
    height,
    rows,
    columns,
  }: { width: number; height: number; rows: number; columns: number },
): Generator<{ row: number; column: number; cells: number[] }> {
  const across = Math.ceil(width / columns);
  const down = Math.ceil(height / rows);
  const chunks = Array.from({ length: across * down }, (): number[] => []);
  for (let cell = 0; cell < outlines.xy.nRows; cell++) {
    const ring = cellRing(outlines, cell);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let p = 0; p < ring.length; p += 2) {
      left = Math.min(left, ring[p]);
      right = Math.max(right, ring[p]);
      top = Math.min(top, ring[p + 1]);
      bottom = Math.max(bottom, ring[p + 1]);
    }
    const [first, last] = [left, right].map((x) => Math.floor(x / step / columns));
    const [upper, lower] = [top, bottom].map((y) => Math.floor(y / step / rows));
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
