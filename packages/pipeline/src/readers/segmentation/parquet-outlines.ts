import { basename } from "node:path";
import { CODECS } from "@stipple/formats/parquet/codecs";
import { readSoundMetadata } from "@stipple/formats/parquet/sound-metadata";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { packRings, type Outlines } from "./outlines.ts";

const COLUMNS = ["cell_id", "vertex_x", "vertex_y"] as const;

/**
 * Reads a table with one row per corner (`cell_id`, `vertex_x`, `vertex_y`, in µm from the image's upper left corner), as
 * Xenium's cell_boundaries.parquet is. Corners of a cell follow one another. Throws {@link InputError}. O(points).
 */
export async function readParquetOutlines(
  path: string,
  micronsPerPixel: number,
  signal?: AbortSignal,
): Promise<Outlines> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(
      `${file} ${what}: use a table with one row per corner and the columns cell_id, vertex_x, and vertex_y (µm).`,
      { file, cause },
    );
  };
  const buffer = await asyncBufferFromFile(path);
  const metadata = await readSoundMetadata(buffer, COLUMNS).catch((cause: unknown) =>
    fail("cannot be read as Parquet", cause),
  );
  const names = metadata.schema.map(({ name }) => name);
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    fail(`lacks the ${missing.length > 1 ? "columns" : "column"} ${missing.join(", ")}`);
  const rings: number[][] = [];
  let [last, ring]: [unknown, number[]] = [undefined, []];
  let start = 0;
  for (const group of metadata.row_groups) {
    throwIfCancelled(signal);
    const end = start + Number(group.num_rows);
    const rows = await parquetReadObjects({
      ...{ file: buffer, metadata, compressors: CODECS },
      ...{ columns: [...COLUMNS], rowStart: start, rowEnd: end },
    }).catch((cause: unknown) => fail("is damaged", cause));
    for (const { cell_id: cell, vertex_x: x, vertex_y: y } of rows) {
      if (cell !== last || ring.length === 0) {
        ring = [];
        rings.push(ring);
        last = cell;
      }
      ring.push(Number(x) / micronsPerPixel, Number(y) / micronsPerPixel);
    }
    start = end;
  }
  const whole = rings.map(open).filter((points) => points.length >= 6);
  if (whole.length === 0) fail("contains no outlines of cells");
  if (!whole.every((points) => points.every(Number.isFinite)))
    fail("has corners that are not numbers");
  return { cells: packRings(whole), nuclei: null };
}

/** A ring without its repeated last point. */
function open(ring: number[]): number[] {
  const n = ring.length;
  return n > 2 && ring[0] === ring[n - 2] && ring[1] === ring[n - 1] ? ring.slice(0, -2) : ring;
}
