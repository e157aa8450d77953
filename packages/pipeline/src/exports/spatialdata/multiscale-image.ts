import { throwIfCancelled } from "../../errors.ts";
import { reducedSize, type TissueImage } from "../../readers/images/tissue-image.ts";
import type { ZarrFolder } from "@stipple/formats/zarr/zarr-folder";
import { axesOf, transformations } from "./transformations.ts";

/** Longer side of the largest level written: the whole slide is not stored a second time. */
export const MAX_SIDE_PX = 4096;
const CHUNK_PX = 512;
const SMALLEST_PX = 512;

export interface WrittenImage {
  widthPx: number;
  heightPx: number;
  /** Full-resolution pixels per pixel of the largest level, x and y. */
  scale: [number, number];
  levels: number;
}

/**
 * Writes an image as an OME-Zarr pyramid of uint8, axes c, y, x: at most 4096 px wide and high, then halved down to
 * 512. Reads in stripes; memory is that of the largest level (50 MB at most).
 */
export async function writeMultiscaleImage(
  folder: ZarrFolder,
  path: string,
  image: TissueImage,
  options: { imageScale: number; micronsPerPixel: number; signal: AbortSignal },
): Promise<WrittenImage> {
  const { width, height } = reducedSize(image, MAX_SIDE_PX);
  let level = await largestLevel(image, width, height, options.signal);
  const scale: [number, number] = [
    (image.widthPx / width) * options.imageScale,
    (image.heightPx / height) * options.imageScale,
  ];
  folder.group(path);
  const datasets: object[] = [];
  for (let n = 0; ; n++) {
    writeLevel(folder, `${path}/s${n}`, level);
    datasets.push({
      path: `s${n}`,
      coordinateTransformations: [
        { type: "scale", scale: [1, height / level.height, width / level.width] },
      ],
    });
    if (Math.max(level.width, level.height) <= SMALLEST_PX) break;
    level = halved(level);
    throwIfCancelled(options.signal);
  }
  folder.describe(path, {
    ome: {
      version: "0.5-dev-spatialdata",
      omero: { channels: CHANNELS },
      multiscales: [
        {
          name: `/${path}`,
          datasets,
          axes: axesOf(AXES),
          coordinateTransformations: transformations(
            AXES,
            [1, scale[1], scale[0]],
            options.micronsPerPixel,
          ),
        },
      ],
    },
    spatialdata_attrs: { version: "0.3" },
  });
  return { widthPx: width, heightPx: height, scale, levels: datasets.length };
}

const AXES = ["c", "y", "x"];
/** Viewers that follow the OME rules draw each channel in its color, from 0 to 255. */
const CHANNELS = [
  { label: "r", color: "FF0000" },
  { label: "g", color: "00FF00" },
  { label: "b", color: "0000FF" },
].map((channel) => ({
  ...channel,
  active: true,
  window: { min: 0, start: 0, end: 255, max: 255 },
}));

/** RGB8 by plane: value of channel c at (x, y) is data[(c * height + y) * width + x]. */
interface Level {
  width: number;
  height: number;
  data: Uint8Array;
}

async function largestLevel(
  image: TissueImage,
  width: number,
  height: number,
  signal: AbortSignal,
): Promise<Level> {
  const data = new Uint8Array(3 * width * height);
  for (let top = 0; top < height; top += CHUNK_PX) {
    const bottom = Math.min(height, top + CHUNK_PX);
    const y = Math.round((top * image.heightPx) / height);
    const pixels = await image.getRegion({
      x: 0,
      y,
      width: image.widthPx,
      height: Math.round((bottom * image.heightPx) / height) - y,
      outWidth: width,
      outHeight: bottom - top,
      signal,
    });
    for (let c = 0; c < 3; c++) {
      const plane = (c * height + top) * width;
      for (let i = 0; i < width * (bottom - top); i++) data[plane + i] = pixels.data[3 * i + c];
    }
  }
  return { width, height, data };
}

function writeLevel(folder: ZarrFolder, path: string, { width, height, data }: Level): void {
  const chunkWidth = Math.min(CHUNK_PX, width);
  const chunkHeight = Math.min(CHUNK_PX, height);
  folder.declare(path, {
    shape: [3, height, width],
    chunkShape: [3, chunkHeight, chunkWidth],
    type: "uint8",
    dimensionNames: ["c", "y", "x"],
  });
  for (let top = 0; top < height; top += chunkHeight) {
    for (let left = 0; left < width; left += chunkWidth) {
      const chunk = new Uint8Array(3 * chunkHeight * chunkWidth);
      const rows = Math.min(chunkHeight, height - top);
      const columns = Math.min(chunkWidth, width - left);
      for (let c = 0; c < 3; c++) {
        for (let y = 0; y < rows; y++) {
          const from = (c * height + top + y) * width + left;
          chunk.set(data.subarray(from, from + columns), (c * chunkHeight + y) * chunkWidth);
        }
      }
      folder.chunk(path, [0, top / chunkHeight, left / chunkWidth], chunk);
    }
  }
}

/** Means of 2 × 2 pixels; a last odd row or column is averaged on its own. */
function halved({ width, height, data }: Level): Level {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const out = new Uint8Array(3 * half.width * half.height);
  for (let c = 0; c < 3; c++) {
    const plane = c * width * height;
    for (let y = 0; y < half.height; y++) {
      const row = plane + 2 * y * width;
      const below = 2 * y + 1 < height ? row + width : row;
      for (let x = 0; x < half.width; x++) {
        const right = Math.min(2 * x + 1, width - 1);
        const sum =
          data[row + 2 * x] + data[row + right] + data[below + 2 * x] + data[below + right];
        out[(c * half.height + y) * half.width + x] = (sum + 2) >> 2;
      }
    }
  }
  return { ...half, data: out };
}
