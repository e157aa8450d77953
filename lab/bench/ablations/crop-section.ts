import sharp, { type Region } from "sharp";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { selectRows } from "@stipple/tissue/write/feature-matrix";
import type { MeasuredSection } from "../real/section.ts";

/** A rectangle of a section, µm from its upper left corner. */
export interface Crop {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The part of a measured section in a rectangle, with its part of the image written to `image`. */
export async function cropSection(
  section: MeasuredSection,
  { name, x, y, width, height }: Crop,
  image: string,
): Promise<MeasuredSection> {
  const { umPerPx, transcripts, cells } = section;
  await cropImage(section.image, image, {
    left: Math.round(x / umPerPx),
    top: Math.round(y / umPerPx),
    width: Math.round(width / umPerPx),
    height: Math.round(height / umPerPx),
  });
  const inside = (ux: number, uy: number): boolean =>
    ux >= x && uy >= y && ux < x + width && uy < y + height;
  const kept = [...cells.type.keys()].filter((c) => inside(cells.xy[2 * c], cells.xy[2 * c + 1]));
  const rowOf = new Map(kept.map((cell, row) => [cell, row]));
  const seen = [...transcripts.gene.keys()].filter((t) =>
    inside(transcripts.x[t], transcripts.y[t]),
  );
  return {
    ...section,
    name,
    image,
    widthUm: width,
    heightUm: height,
    transcripts: {
      x: Float32Array.from(seen, (t) => transcripts.x[t] - x),
      y: Float32Array.from(seen, (t) => transcripts.y[t] - y),
      gene: Uint16Array.from(seen, (t) => transcripts.gene[t]),
      cell: Int32Array.from(seen, (t) => rowOf.get(transcripts.cell[t]) ?? -1),
    },
    cells: {
      xy: Float64Array.from(kept.flatMap((c) => [cells.xy[2 * c] - x, cells.xy[2 * c + 1] - y])),
      type: kept.map((c) => cells.type[c]!),
      counts: selectRows(cells.counts, kept),
    },
  };
}

/** Every page of an image, as the channels of an OME-TIFF. */
async function cropImage(from: string, to: string, part: Region): Promise<void> {
  const { pages = 1 } = await sharp(from).metadata();
  const names = ["DAPI", "membrane", "stroma"].slice(0, pages);
  const description = `<?xml version="1.0"?><OME><Image><Pixels SizeC="${pages}" SizeZ="1" SizeT="1">${names.map((name, id) => `<Channel ID="${id}" Name="${name}"/>`).join("")}</Pixels></Image></OME>`;
  const channels = await Promise.all(
    names.map((_, page) =>
      sharp(from, { page }).extract(part).toColourspace("b-w").raw().toBuffer(),
    ),
  );
  await writeTestTiff(
    to,
    channels.map((data, page) => ({
      ...part,
      samples: 1,
      data: new Uint8Array(data),
      ...(page === 0 && { description }),
    })),
  );
}
