import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerManifest } from "@stipple/contract";
import { CHANNEL_COLORS } from "../../../readers/images/display-ranges.ts";
import { packTiles, pyramidSizes, TILE_PX } from "@stipple/formats/tiff/tile-pyramid";
import type { TissueImage } from "../../../readers/images/tissue-image.ts";

const PATH = "channels.ome.zarr";
/** Fractions of a channel's pixels that set black and full brightness in the initial display. */
const [LOW, HIGH] = [0.01, 0.998];

/**
 * Writes the channels of a fluorescence image, with their original values, as an OME-Zarr pyramid (OME-NGFF 0.4
 * on Zarr 2, axes c, y, x, one file per tile and channel). Each channel is read once from top to bottom; memory
 * is one row of tiles of one channel. O(pixels · channels).
 */
export async function writeChannelPyramid(
  folder: string,
  image: TissueImage,
  micronsPerPixel: number,
  signal: AbortSignal,
): Promise<NonNullable<ViewerManifest["channels"]>> {
  const root = join(folder, PATH);
  const { widthPx, heightPx, channels: nChannels } = image;
  const bits = image.bitsPerSample > 8 ? 16 : 8;
  const sizes = pyramidSizes(widthPx, heightPx);
  for (const [level, { width, height }] of sizes.entries()) {
    await put(join(root, String(level), ".zarray"), {
      zarr_format: 2,
      shape: [nChannels, height, width],
      chunks: [1, TILE_PX, TILE_PX],
      dtype: bits === 16 ? "<u2" : "|u1",
      compressor: { id: "zlib", level: 1 },
      fill_value: 0,
      order: "C",
      filters: null,
      dimension_separator: "/",
    });
  }
  const channels: NonNullable<ViewerManifest["channels"]>["channels"] = [];
  for (let channel = 0; channel < nChannels; channel++) {
    const histogram = new Uint32Array(1 << bits);
    await packTiles(
      { widthPx, heightPx, bits, samples: 1 },
      async (y, height) => {
        const region = { x: 0, y, width: widthPx, height, signal };
        const { data } = await image.getChannel(channel, region);
        for (const value of data) histogram[value] += 1;
        return data;
      },
      async ({ level, row, column, bytes }) => {
        const rowFolder = join(root, String(level), String(channel), String(row));
        if (column === 0) await mkdir(rowFolder, { recursive: true });
        await writeFile(join(rowFolder, String(column)), bytes);
      },
      signal,
    );
    const low = percentile(histogram, LOW);
    channels.push({
      name: image.channelNames[channel] || `Channel ${channel + 1}`,
      color: colorOf(channel),
      low,
      high: Math.max(low + 1, percentile(histogram, HIGH)),
    });
  }
  await put(join(root, ".zgroup"), { zarr_format: 2 });
  await put(join(root, ".zattrs"), attributes(channels, sizes.length, bits, micronsPerPixel));
  return { path: PATH, dtype: bits === 16 ? "uint16" : "uint8", channels };
}

function attributes(
  channels: NonNullable<ViewerManifest["channels"]>["channels"],
  levels: number,
  bits: 8 | 16,
  micronsPerPixel: number,
): object {
  return {
    multiscales: [
      {
        version: "0.4",
        name: "tissue",
        axes: [
          { name: "c", type: "channel" },
          { name: "y", type: "space", unit: "micrometer" },
          { name: "x", type: "space", unit: "micrometer" },
        ],
        datasets: Array.from({ length: levels }, (_, level) => ({
          path: String(level),
          coordinateTransformations: [
            {
              type: "scale",
              scale: [1, micronsPerPixel * 2 ** level, micronsPerPixel * 2 ** level],
            },
          ],
        })),
      },
    ],
    omero: {
      version: "0.4",
      name: "tissue",
      channels: channels.map(({ name, color, low, high }) => ({
        label: name,
        color: color.slice(1),
        active: true,
        window: { min: 0, max: 2 ** bits - 1, start: low, end: high },
      })),
      rdefs: { model: "color" },
    },
  };
}

async function put(path: string, content: object): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, JSON.stringify(content));
}

/** The channel's color in the tissue images; colors repeat after the last one. */
function colorOf(channel: number): string {
  const parts = CHANNEL_COLORS[channel % CHANNEL_COLORS.length];
  const hex = parts.map((part) =>
    Math.round(255 * part)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** Smallest value that is not exceeded by the given share of all pixels. */
function percentile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return histogram.findIndex((count) => (seen += count) > share * total);
}
