import { basename } from "node:path";
import { areasOf, packRings } from "@stipple/numerics/rings";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { readGeoJsonOutlines } from "./geojson-outlines.ts";
import { openLabelTiff, openNpy } from "./label-files.ts";
import { scaleOf, traceLabels, type LabelRaster } from "./label-raster.ts";
import type { Outlines } from "./outlines.ts";
import { CODECS } from "@stipple/formats/parquet/codecs";
import { readSoundMetadata } from "@stipple/formats/parquet/sound-metadata";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";

/** The image on which the cells were outlined. */
export interface OutlinedImage {
  /** Full-resolution pixels. */
  width: number;
  height: number;
  micronsPerPixel: number;
}

/** Medians of cells or nuclei lie well within these areas, µm². */
const [MIN_AREA, MAX_AREA] = [4, 4000];
/** Outlines may go over the edge of the image by this share of its side. */
const OVER_THE_EDGE = 0.02;
/** Labeled pixels per pixel of traced objects: 1 if each object has its own number, 2 if objects are single pixels. */
const MOST_PER_TRACED = 2;

/**
 * Reads cells or nuclei outlined by another program: GeoJSON, a label image (TIFF, or NumPy's .npy), or Parquet with one
 * row per corner. Throws {@link InputError} for outlines that do not fit the image. O(points or pixels).
 */
export async function readOutlines(
  path: string,
  image: OutlinedImage,
  signal?: AbortSignal,
): Promise<Outlines & { medianAreaUm2: number }> {
  const outlines = await read(path, image, signal);
  const file = basename(path);
  const { xy } = outlines.cells;
  const areas = areasOf(outlines.cells);
  const medianAreaUm2 = areas.sort()[areas.length >> 1] * image.micronsPerPixel ** 2;
  const { width, height } = image;
  const [x, y] = [width, height].map((side, axis) => farthest(xy, axis, side));
  if (isOutside(x, width) || isOutside(y, height)) {
    throw new InputError(
      `${file} was made from another image: its outlines reach x ${pixels(x)}, y ${pixels(y)}, but the image is ${pixels(width)} × ${pixels(height)} pixels.`,
    );
  }
  if (!(medianAreaUm2 >= MIN_AREA && medianAreaUm2 <= MAX_AREA)) {
    throw new InputError(
      `The outlines in ${file} have a median area of ${medianAreaUm2.toPrecision(2)} µm², which is not the size of a cell: they were made at another scale; export them in pixels of the full-resolution image (${pixels(width)} × ${pixels(height)}).`,
    );
  }
  return { ...outlines, medianAreaUm2 };
}

/** The coordinate on this axis that is farthest outside of 0 to `side`, or the greatest. */
function farthest(xy: Float32Array, axis: number, side: number): number {
  let [least, most] = [Infinity, 0];
  for (let p = axis; p < xy.length; p += 2) {
    least = Math.min(least, xy[p]);
    most = Math.max(most, xy[p]);
  }
  return -least > Math.max(0, most - side) ? least : most;
}

function isOutside(value: number, side: number): boolean {
  return value < -OVER_THE_EDGE * side || value > (1 + OVER_THE_EDGE) * side;
}

async function read(
  path: string,
  image: OutlinedImage,
  signal: AbortSignal | undefined,
): Promise<Outlines> {
  if (/\.npy$/i.test(path)) return ofRaster(path, await openNpy(path), image, signal);
  if (/\.tiff?$/i.test(path)) return ofRaster(path, await openLabelTiff(path), image, signal);
  if (/\.parquet$/i.test(path)) return readParquetOutlines(path, image.micronsPerPixel, signal);
  if (/\.(geo)?json(\.gz)?$/i.test(path)) return readGeoJsonOutlines(path, signal);
  const file = basename(path);
  throw new InputError(
    `${file} is not a known kind of segmentation: use .geojson, .tif, .npy, or .parquet.`,
  );
}

async function ofRaster(
  path: string,
  raster: LabelRaster,
  { width, height }: OutlinedImage,
  signal: AbortSignal | undefined,
): Promise<Outlines> {
  const file = basename(path);
  const scale = scaleOf(file, raster, { width, height });
  const { pixels, ...outlines } = await traceLabels(raster, scale, signal);
  const areas = areasOf(outlines.cells);
  if (areas.length === 0) {
    throw new InputError(`${file} contains no objects: all its pixels are 0.`);
  }
  if (pixels > MOST_PER_TRACED * (areas.reduce((sum, area) => sum + area, 0) / scale ** 2)) {
    throw new InputError(
      `${file} gives objects that lie apart the same number, as a mask of 0 and 1 and labels that start anew in each tile do: number every object once, for example with skimage.measure.label.`,
    );
  }
  return outlines;
}

function pixels(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

const COLUMNS = ["cell_id", "vertex_x", "vertex_y"] as const;
/** Tells the nuclei of one cell apart. */
const LABEL = "label_id";

/**
 * Reads a table with one row per corner (`cell_id`, `vertex_x`, `vertex_y`, in µm from the image's upper left corner), as
 * Xenium's cell_boundaries.parquet is. Corners of an outline follow one another. Throws {@link InputError}. O(points).
 */
async function readParquetOutlines(
  path: string,
  micronsPerPixel: number,
  signal?: AbortSignal,
): Promise<Outlines> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(
      `${file} ${what}: use a table with one row per corner and the columns cell_id, vertex_x, and vertex_y (µm).`,
      { cause },
    );
  };
  const buffer = await asyncBufferFromFile(path);
  const metadata = await readSoundMetadata(buffer, [...COLUMNS, LABEL]).catch((cause: unknown) =>
    fail("cannot be read as Parquet", cause),
  );
  const names = metadata.schema.map(({ name }) => name);
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    fail(`lacks the ${missing.length > 1 ? "columns" : "column"} ${missing.join(", ")}`);
  const columns = names.includes(LABEL) ? [...COLUMNS, LABEL] : [...COLUMNS];
  const rings: number[][] = [];
  let [lastCell, lastLabel, ring]: [unknown, unknown, number[]] = [undefined, undefined, []];
  let start = 0;
  for (const group of metadata.row_groups) {
    throwIfCancelled(signal);
    const end = start + Number(group.num_rows);
    const rows = await parquetReadObjects({
      ...{ file: buffer, metadata, compressors: CODECS },
      ...{ columns, rowStart: start, rowEnd: end },
    }).catch((cause: unknown) => fail("is damaged", cause));
    for (const { cell_id: cell, vertex_x: x, vertex_y: y, [LABEL]: label } of rows) {
      if (cell !== lastCell || label !== lastLabel || ring.length === 0) {
        ring = [];
        rings.push(ring);
        [lastCell, lastLabel] = [cell, label];
      }
      for (const value of [x, y]) ring.push(Number(value ?? NaN) / micronsPerPixel);
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
