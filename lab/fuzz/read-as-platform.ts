import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { named } from "@stipple/contract/recognition/candidate";
import { spaceRangerRole } from "@stipple/contract/recognition/names";
import { faultOfFile } from "../../apps/server/src/uploads/check-file.ts";
import { openLocalFolder } from "../../apps/server/src/storage/local-folder.ts";
import { InputError } from "../../packages/pipeline/src/errors.ts";
import {
  AS_STORED,
  openImageSource,
} from "../../packages/pipeline/src/readers/images/image-source.ts";
import { annotateCells } from "../../packages/pipeline/src/annotations/annotate-cells.ts";
import { readAnnotations } from "../../packages/pipeline/src/annotations/read-annotations.ts";
import { openTissueImage } from "../../packages/pipeline/src/readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../packages/pipeline/src/readers/images/tissue-image.ts";
import { readAlignment } from "../../packages/pipeline/src/alignment/read-alignment.ts";
import { readRegions } from "../../packages/pipeline/src/regions/read-regions.ts";
import { readOutlines } from "../../packages/pipeline/src/readers/segmentation/read-outlines.ts";
import { readSpaceRangerCells } from "../../packages/pipeline/src/readers/segmentation/read-space-ranger-cells.ts";
import { readH5Matrix } from "../../packages/pipeline/src/readers/space-ranger/read-h5-matrix.ts";
import { readPositions } from "../../packages/pipeline/src/readers/space-ranger/read-positions.ts";
import { readScalefactors } from "../../packages/pipeline/src/readers/space-ranger/read-scalefactors.ts";
import {
  readBarcodes,
  readFeatures,
} from "../../packages/pipeline/src/readers/space-ranger/read-lists.ts";
import { readTextMatrix } from "../../packages/pipeline/src/readers/space-ranger/read-text-matrix.ts";
import { readCoordinates } from "../../packages/pipeline/src/readers/st/read-coordinates.ts";
import { readCountTable } from "../../packages/pipeline/src/readers/st/read-count-table.ts";
import { readReference } from "../../packages/pipeline/src/reference/read-reference.ts";
import { contentOf } from "./content.ts";
import { FORMATS, type Format } from "./formats.ts";
import { ANNOTATED, BARCODES, features, stCoordinates, SYMBOLS } from "./seed-files.ts";

const keepAll = { keep: (barcodes: string[]) => new Uint8Array(barcodes.length).fill(1) };

/** Everything the platform does with an uploaded file of a format, in `folder`. */
export async function platform(folder: string): Promise<{
  /** Refusals by the upload check and the readers, and a digest of what was read if there are none. */
  read(format: Format, bytes: Buffer): Promise<{ refusals: string[]; content: string }>;
  /** Whether HDF5 has given up in this process. */
  isSpent(): boolean;
}> {
  const storage = await openLocalFolder(join(folder, "storage"));
  const beside = join(folder, "beside");
  await mkdir(beside, { recursive: true });
  await writeFile(join(beside, "barcodes.tsv"), `${BARCODES.join("\n")}\n`);
  await writeFile(join(beside, "features.tsv"), features());
  await writeFile(join(beside, "spot_coordinates.tsv"), stCoordinates(true));

  let isSpent = false;
  return {
    isSpent: () => isSpent,
    async read(format, bytes) {
      const name = FORMATS[format];
      const path = join(folder, name);
      await writeFile(path, bytes);
      await storage.put(`incoming/${name}`, bytes);
      const said: string[] = [];
      const fault = format.startsWith("added")
        ? null
        : await faultOfFile(storage, `incoming/${name}`, {
            fileName: name,
            extension: extensionOf(name),
            slot: /^st-(.*)/.exec(format)?.[1] ?? spaceRangerRole(named({ path: name }))!,
          });
      if (fault !== null) said.push(fault);
      let content = "";
      const refused = await read(format, path, beside).then(
        (value) => {
          content = contentOf(value);
          return null;
        },
        (error: unknown) => error,
      );
      isSpent ||= refused instanceof InputError && String(refused.cause).includes("Aborted(");
      if (refused instanceof InputError) said.push(refused.message);
      else if (refused !== null) throw refused;
      return { refusals: said, content };
    },
  };
}

function extensionOf(name: string): string {
  return /(\.\w+\.gz|\.\w+)$/.exec(name)![1];
}

async function read(format: Format, path: string, beside: string): Promise<unknown> {
  switch (format) {
    case "tiff": {
      const turned = { path, reading: { ...AS_STORED, orientation: 6 } } as const;
      return [
        await look(await openTissueImage(path)),
        await look(await openImageSource(turned, { inStrips: true })),
      ];
    }
    case "png":
    case "jpeg":
      return look(await openTissueImage(path));
    case "barcodes-gz":
      return readBarcodes(path);
    case "features-gz":
    case "tsv":
      return readFeatures(path);
    case "matrix-gz":
    case "mtx":
      return readTextMatrix(
        {
          barcodes: join(beside, "barcodes.tsv"),
          features: join(beside, "features.tsv"),
          matrix: path,
        },
        keepAll,
      );
    case "csv":
    case "parquet":
      return readPositions({ format, path });
    case "json":
      return readScalefactors(path);
    case "geojson":
      return readSpaceRangerCells({ cells: path, nuclei: null });
    case "h5":
      return readH5Matrix(path, keepAll);
    case "h5ad":
      return readReference({
        file: path,
        symbols: SYMBOLS,
        ids: SYMBOLS.map((_, i) => `ENSG${i}`),
        species: "unknown",
        counted: new Uint8Array(SYMBOLS.length).fill(1),
        signal: new AbortController().signal,
      });
    case "st-coordinates":
      return readCoordinates(path);
    case "st-counts": {
      const positionsFile = "spot_coordinates.tsv";
      const coordinates = await readCoordinates(join(beside, positionsFile));
      return readCountTable(path, { coordinates, positionsFile, warn: () => undefined });
    }
    case "added-geojson":
    case "added-npy":
    case "added-tiff":
    case "added-parquet":
      return readOutlines(path, { ...IMAGE, micronsPerPixel: 0.5 });
    case "added-regions":
      return readRegions(path, IMAGE);
    case "added-alignment":
      return readAlignment(path, SPOTS, 10);
    case "added-annotations":
      return annotateCells("annotations.json", await readAnnotations(path), ANNOTATED);
    default:
      throw new Error(`no reader of ${dirname(path)}: ${format satisfies never}`);
  }
}

/** The image and the spots that added files must fit. */
const IMAGE = { width: 48, height: 40 };
const SPOTS = {
  barcode: BARCODES,
  inTissue: Uint8Array.from(BARCODES, () => 1),
  arrayRow: Int32Array.from(BARCODES, (_, i) => Math.floor(i / 4)),
  arrayCol: Int32Array.from(BARCODES, (_, i) => i % 4),
  x: Float64Array.from(BARCODES, (_, i) => 10 * (i % 4)),
  y: Float64Array.from(BARCODES, (_, i) => 10 * Math.floor(i / 4)),
};

/** Pixels of a small image; otherwise of two corners and a thumbnail, in the first and last channel. */
const MAX_PIXELS = 2 ** 20;

async function look(image: TissueImage): Promise<unknown> {
  const { path: _, ...described } = image;
  const seen: unknown[] = [described];
  const { widthPx, heightPx, channels } = image;
  const all = { x: 0, y: 0, width: widthPx, height: heightPx };
  const scale = Math.min(1, 64 / Math.max(widthPx, heightPx));
  const whole = widthPx * heightPx <= MAX_PIXELS;
  const thumbnail = await image.getRegion({
    ...all,
    outWidth: Math.max(1, Math.round(widthPx * scale)),
    outHeight: Math.max(1, Math.round(heightPx * scale)),
  });
  seen.push(thumbnail);
  const [width, height] = whole
    ? [widthPx, heightPx]
    : [Math.min(64, widthPx), Math.min(64, heightPx)];
  for (const channel of new Set([0, channels - 1])) {
    const corners = new Set([0, heightPx - height]);
    for (const y of corners) {
      const x = y === 0 ? 0 : widthPx - width;
      seen.push(await image.getChannel(channel, { x, y, width, height }));
    }
  }
  return seen;
}
