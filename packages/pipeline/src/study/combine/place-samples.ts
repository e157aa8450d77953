import type { ZarrFolder } from "@stipple/formats/zarr/zarr-folder";
import { cellFile, type CombinedSample } from "./combined-study.ts";
import { SampleTable } from "./sample-table.ts";

/** Where a sample's origin lies in the study, µm. */
export interface Offset {
  x: number;
  y: number;
}

/** Space between samples, of the largest one's side. */
const GAP = 0.05;

/** Places samples in a grid, row by row, so that none covers another. */
export async function placeSamples(
  folder: ZarrFolder,
  samples: readonly CombinedSample[],
): Promise<Offset[]> {
  const sizes = [];
  for (const sample of samples) sizes.push(await sizeOf(folder, sample));
  const width = Math.max(...sizes.map(({ x }) => x));
  const height = Math.max(...sizes.map(({ y }) => y));
  const gap = GAP * Math.max(width, height);
  const across = Math.ceil(Math.sqrt(samples.length));
  return samples.map((_, i) => ({
    x: (i % across) * (width + gap),
    y: Math.floor(i / across) * (height + gap),
  }));
}

/** How far the cells and the image reach from the origin, µm. */
async function sizeOf(folder: ZarrFolder, sample: CombinedSample): Promise<Offset> {
  using table = await SampleTable.open(cellFile(sample));
  const micronsPerPixel = Number(table.scalar("uns/stipple/microns_per_pixel") ?? 1);
  const size = { x: 1, y: 1 };
  table.numbers("obsm/spatial").forEach((value, i) => {
    const axis = i % 2 === 0 ? "x" : "y";
    size[axis] = Math.max(size[axis], value * micronsPerPixel);
  });
  const image = `images/${sample.key}_tissue`;
  const [, heightPx = 0, widthPx = 0] = folder.shape(`${image}/s0`);
  if (widthPx === 0) return size;
  const { ome } = folder.attributes(image) as {
    ome: { multiscales: [{ coordinateTransformations: { scale: number[] }[] }] };
  };
  const [, yScale, xScale] = ome.multiscales[0].coordinateTransformations[1].scale;
  return { x: Math.max(size.x, widthPx * xScale), y: Math.max(size.y, heightPx * yScale) };
}
