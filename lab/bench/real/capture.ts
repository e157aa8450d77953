import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { binBarcode, fromMaps } from "../../../packages/tissue/src/capture/hd-arrays.ts";
import { selectRows, writeFeatureH5 } from "../../../packages/tissue/src/write/feature-matrix.ts";
import type { MeasuredSection } from "./section.ts";

/** How a section's transcripts are captured. */
export type Capture = "visium" | "hd8" | "hd16" | "hd2";

export interface Array2d {
  barcode: string[];
  row: number[];
  column: number[];
  /** Centers, µm. */
  x: number[];
  y: number[];
  counts: SparseMatrix;
}

const PITCH_UM = 100;
const SPOT_UM = 55;
/** Space Ranger's nominal diameter of a 55 µm spot. */
const NOMINAL_SPOT_UM = 65;
const ROW_UM = (PITCH_UM * Math.sqrt(3)) / 2;

/** Transcripts counted in 55 µm spots on a hexagonal lattice of 100 µm. */
export function visiumSpots(section: MeasuredSection): Array2d {
  const spots: Omit<Array2d, "counts"> = { barcode: [], row: [], column: [], x: [], y: [] };
  const at = new Map<string, number>();
  for (let row = 0; (row + 0.5) * ROW_UM < section.heightUm; row++) {
    for (let i = 0; ; i++) {
      const x = (i + 0.5 + (row % 2) / 2) * PITCH_UM;
      if (x >= section.widthUm) break;
      at.set(`${row}/${i}`, spots.barcode.length);
      spots.barcode.push(spotBarcode(spots.barcode.length));
      spots.row.push(row);
      spots.column.push(2 * i + (row % 2));
      spots.x.push(x);
      spots.y.push((row + 0.5) * ROW_UM);
    }
  }
  const find = (x: number, y: number): number => {
    const nearest = Math.floor(y / ROW_UM);
    for (const row of [nearest - 1, nearest, nearest + 1]) {
      const i = Math.round(x / PITCH_UM - 0.5 - (((row % 2) + 2) % 2) / 2);
      const spot = at.get(`${row}/${i}`);
      if (spot === undefined) continue;
      if (Math.hypot(spots.x[spot] - x, spots.y[spot] - y) <= SPOT_UM / 2) return spot;
    }
    return -1;
  };
  return { ...spots, counts: count(section, spots.barcode.length, find) };
}

/** Transcripts counted in contiguous square bins. */
export function squareBins(section: MeasuredSection, binUm: number): Array2d {
  const rows = Math.floor(section.heightUm / binUm);
  const columns = Math.floor(section.widthUm / binUm);
  const bins = Array.from({ length: rows * columns }, (_, bin) => bin);
  const row = bins.map((bin) => Math.floor(bin / columns));
  const column = bins.map((bin) => bin % columns);
  const find = (x: number, y: number): number => {
    const [r, c] = [Math.floor(y / binUm), Math.floor(x / binUm)];
    return r < rows && c < columns ? r * columns + c : -1;
  };
  return {
    barcode: bins.map((bin) => binBarcode(binUm, row[bin], column[bin])),
    row,
    column,
    x: column.map((c) => (c + 0.5) * binUm),
    y: row.map((r) => (r + 0.5) * binUm),
    counts: count(section, bins.length, find),
  };
}

function count(
  { transcripts, genes }: MeasuredSection,
  n: number,
  find: (x: number, y: number) => number,
): SparseMatrix {
  const entries: Map<number, number>[] = Array.from({ length: n }, () => new Map());
  transcripts.gene.forEach((gene, i) => {
    const at = find(transcripts.x[i], transcripts.y[i]);
    if (at >= 0) entries[at].set(gene, (entries[at].get(gene) ?? 0) + 1);
  });
  return fromMaps(entries, genes.length);
}

/** Sixteen bases that spell a number, as a barcode of Space Ranger. */
function spotBarcode(index: number): string {
  let bases = "";
  for (let i = 0, rest = index; i < 16; i++, rest = Math.floor(rest / 4)) bases += "ACGT"[rest % 4];
  return `${bases}-1`;
}

/** Writes a flat folder with Space Ranger's files. Spots without counts are left out, as filtered matrices do. */
export async function writeSample(
  section: MeasuredSection,
  capture: Capture,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const hd = capture !== "visium";
  const binUm = capture === "hd16" ? 16 : 8;
  const array = hd ? squareBins(section, binUm) : visiumSpots(section);
  await writeMatrix(join(folder, "filtered_feature_bc_matrix.h5"), section, array);
  if (capture === "hd2")
    await writeMatrix(join(folder, "square_002um.h5"), section, squareBins(section, 2));
  const { umPerPx } = section;
  const lines = array.barcode.map((barcode, i) =>
    [barcode, 1, array.row[i], array.column[i], array.y[i] / umPerPx, array.x[i] / umPerPx].join(),
  );
  const header = "barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres";
  await writeFile(join(folder, "tissue_positions.csv"), `${[header, ...lines].join("\n")}\n`);
  const factors = {
    spot_diameter_fullres: (hd ? binUm : NOMINAL_SPOT_UM) / umPerPx,
    ...(hd ? { bin_size_um: binUm, microns_per_pixel: umPerPx } : {}),
  };
  await writeFile(join(folder, "scalefactors_json.json"), JSON.stringify(factors));
  const tiled = { tile: true, compression: "deflate" } as const;
  const image = join(folder, "image.tif");
  if (section.image.endsWith(".tif")) await copyFile(section.image, image);
  else await sharp(section.image).tiff(tiled).toFile(image);
}

async function writeMatrix(path: string, section: MeasuredSection, array: Array2d): Promise<void> {
  const { indptr } = array.counts;
  const kept = [...array.barcode.keys()].filter((row) => indptr[row + 1] > indptr[row]);
  await writeFeatureH5(path, {
    barcodes: kept.map((row) => array.barcode[row]),
    genes: section.genes.map((symbol) => ({ id: symbol, symbol })),
    genome: section.genome,
    counts: selectRows(array.counts, kept),
  });
}
