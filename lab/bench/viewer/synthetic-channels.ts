import { writeTiledTiff } from "@stipple/formats/tiff/write-tiled-tiff";
import { mapTissue } from "@stipple/tissue/anatomy/tissue-map";
import { placeCells } from "@stipple/tissue/anatomy/place-cells";
import { HUMAN_BREAST_TUMOR } from "@stipple/tissue/catalog/human-breast-tumor";
import { tissueOptions } from "@stipple/tissue/options";
import { paintFluorescence } from "@stipple/tissue/paint/fluorescence-image";

/** Side of the repeated tissue square, px. */
const BLOCK_PX = 2048;
const MICRONS_PER_PIXEL = 0.25;

/**
 * Writes a tiled BigTIFF of `sidePx` × `sidePx` with three 16-bit channels (nuclei and two antibodies) as pages with
 * their lower-resolution versions: one rendered tissue square, repeated. Deflate finds no repetition, because a tile is
 * smaller than the square. Streams; uses memory for a few rows of tiles. O(pixels).
 */
export async function writeSyntheticChannels(path: string, sidePx: number): Promise<void> {
  const { names, values } = renderBlock();
  await writeTiledTiff(
    path,
    {
      widthPx: sidePx,
      heightPx: sidePx,
      bits: 16,
      channelNames: names,
      pages: names.map((_, channel) => ({
        rows: (y, count) => Promise.resolve(repeatedRows(values, channel, y, count, sidePx)),
      })),
    },
    new AbortController().signal,
  );
}

function renderBlock(): { names: string[]; values: Uint16Array } {
  const options = tissueOptions({
    sizeUm: BLOCK_PX * MICRONS_PER_PIXEL,
    umPerPx: MICRONS_PER_PIXEL,
    staining: "if",
    seed: 5,
  });
  const map = mapTissue(HUMAN_BREAST_TUMOR, options);
  const cells = placeCells(HUMAN_BREAST_TUMOR, map, options);
  const { channels } = paintFluorescence(HUMAN_BREAST_TUMOR, map, cells, options);
  if (!channels) throw new Error("A tissue under immunofluorescence has channels");
  return { names: [...channels.names], values: channels.values as Uint16Array };
}

function repeatedRows(
  block: Uint16Array,
  channel: number,
  y: number,
  count: number,
  sidePx: number,
): Uint16Array {
  const rows = new Uint16Array(count * sidePx);
  for (let row = 0; row < count; row++) {
    const from = (channel * BLOCK_PX + ((y + row) % BLOCK_PX)) * BLOCK_PX;
    for (let x = 0; x < sidePx; x += BLOCK_PX) {
      const width = Math.min(BLOCK_PX, sidePx - x);
      rows.set(block.subarray(from, from + width), row * sidePx + x);
    }
  }
  return rows;
}
