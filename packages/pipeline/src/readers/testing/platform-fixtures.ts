import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { platformById, type PlatformId, type Resolution } from "@stipple/contract";
import sharp from "sharp";

/** A tiny sample of a platform, written in its users' format, and the expected content. */
export interface PlatformFixture {
  /** The written files, by upload slot. */
  files: Record<string, string>;
  resolution?: Resolution;
  micronsPerPixel: number;
  pitchUm: number;
  spotSizeUm: number;
  /** The spots in tissue, by name: their positions and their counts by gene. */
  spots: Map<string, { x: number; y: number; counts: Record<string, number> }>;
  /** Number of spots on the slide, including those off the tissue. */
  nPlaces: number;
}

/** Writes a fixture for each platform; a missing one does not compile. */
export const PLATFORM_FIXTURES: {
  readonly [Id in PlatformId]: (folder: string) => Promise<PlatformFixture>;
} = {
  visium: (folder) => writeSpaceRanger(folder, "visium", hexagonalPlaces()),
  hd_visium: (folder) => writeSpaceRanger(folder, "hd_visium", squarePlaces(), "8"),
  st: writeTables,
};

const SIDE_PX = 400;
const UM_PER_PX = 2;
const GENES = ["Actb", "Xist", "Gfap"];

export interface Place {
  name: string;
  row: number;
  col: number;
  x: number;
  y: number;
  inTissue: boolean;
}

function hexagonalPlace(row: number, at: number): Place {
  return {
    name: `${"ACGT"[row % 4]}${"ACGT"[at % 4]}${"AC"[at >> 2]}TTGC${"ACGT"[row >> 2]}-1`,
    row,
    col: 2 * at + (row % 2),
    x: 60 + (50 * (2 * at + (row % 2))) / UM_PER_PX,
    y: 70 + (row * 50 * Math.sqrt(3)) / UM_PER_PX,
    inTissue: row !== 1 || at !== 2,
  };
}

function hexagonalPlaces(): Place[] {
  return Array.from({ length: 20 }, (_, i) => hexagonalPlace(Math.floor(i / 5), i % 5));
}

/** A Visium slide with two pieces of tissue, of 11 and 12 spots, at its top and bottom. */
export function writeTwoPieces(folder: string): Promise<PlatformFixture> {
  const rows = [0, 1, 5, 6];
  const places = rows.flatMap((row) => [0, 1, 2, 3, 4, 5].map((at) => hexagonalPlace(row, at)));
  return writeSpaceRanger(folder, "visium", places);
}

function squarePlaces(): Place[] {
  return Array.from({ length: 25 }, (_, i) => {
    const [row, col] = [Math.floor(i / 5), i % 5];
    const digits = (n: number): string => String(n).padStart(5, "0");
    return {
      name: `s_008um_${digits(row)}_${digits(col)}-1`,
      row,
      col,
      x: 60 + (col * 8) / UM_PER_PX,
      y: 70 + (row * 8) / UM_PER_PX,
      inTissue: i !== 7,
    };
  });
}

/** Some counts for each spot, with none for an occasional gene. */
export function countsOf(place: number): Record<string, number> {
  return Object.fromEntries(
    GENES.map((gene, at) => [gene, (place * 7 + at * 3) % 5] as const).filter(([, n]) => n > 0),
  );
}

/** Expected content of a fixture with these spots. */
export function truthOf(places: readonly Place[]): Pick<PlatformFixture, "spots" | "nPlaces"> {
  const spots: PlatformFixture["spots"] = new Map();
  places.forEach(({ name, x, y, inTissue }, i) => {
    if (inTissue) spots.set(name, { x, y, counts: countsOf(i) });
  });
  return { spots, nPlaces: places.length };
}

/** A plain image that contains all spots. */
export async function writeImage(path: string): Promise<string> {
  const create = { width: SIDE_PX, height: SIDE_PX, channels: 3, background: "#e0c0d8" } as const;
  await sharp({ create }).toFile(path);
  return path;
}

async function writeSpaceRanger(
  folder: string,
  platform: PlatformId,
  places: readonly Place[],
  resolution?: Resolution,
): Promise<PlatformFixture> {
  const base = resolution === undefined ? folder : join(folder, "binned_outputs/square_008um");
  const [matrix, spatial] = [join(base, "filtered_feature_bc_matrix"), join(base, "spatial")];
  await mkdir(matrix, { recursive: true });
  await mkdir(spatial, { recursive: true });
  const put = async (path: string, lines: readonly string[]): Promise<string> => {
    const text = `${lines.join("\n")}\n`;
    await writeFile(path, path.endsWith(".gz") ? gzipSync(text) : text);
    return path;
  };
  const kept = places.flatMap((place, at) => (place.inTissue ? [{ place, at }] : []));
  const entries = kept.flatMap(({ at }, i) =>
    Object.entries(countsOf(at)).map(
      ([gene, count]) => `${GENES.indexOf(gene) + 1} ${i + 1} ${count}`,
    ),
  );
  const size = platformById(platform).array ?? { pitchUm: 8, spotSizeUm: 8 };
  const bins = resolution === undefined ? {} : { bin_size_um: 8, microns_per_pixel: UM_PER_PX };
  const files = {
    barcodes: await put(
      join(matrix, "barcodes.tsv.gz"),
      kept.map(({ place }) => place.name),
    ),
    features: await put(
      join(matrix, "features.tsv.gz"),
      GENES.map((gene) => `E_${gene}\t${gene}\tGene Expression`),
    ),
    matrix: await put(join(matrix, "matrix.mtx.gz"), [
      "%%MatrixMarket matrix coordinate integer general",
      `${GENES.length} ${kept.length} ${entries.length}`,
      ...entries,
    ]),
    positions: await put(join(spatial, "tissue_positions.csv"), [
      "barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres",
      ...places.map((p) => `${p.name},${Number(p.inTissue)},${p.row},${p.col},${p.y},${p.x}`),
    ]),
    scale: await put(join(spatial, "scalefactors_json.json"), [
      JSON.stringify({ tissue_hires_scalef: 0.5, ...bins }),
    ]),
    he_image: await writeImage(join(folder, "tissue.tif")),
  };
  return {
    files,
    ...(resolution === undefined ? {} : { resolution }),
    micronsPerPixel: UM_PER_PX,
    ...size,
    ...truthOf(places),
  };
}

/** Tables in the format of first-generation users: counts by array position, coordinates in pixels. */
async function writeTables(folder: string): Promise<PlatformFixture> {
  const places = Array.from({ length: 20 }, (_, i): Place => {
    const [row, col] = [8 + Math.floor(i / 5), 10 + (i % 5)];
    return {
      name: `${col}x${row}`,
      row,
      col,
      x: 40 + ((col - 10) * 200) / UM_PER_PX / 2,
      y: 60 + ((row - 8) * 200) / UM_PER_PX / 2,
      inTissue: i !== 7,
    };
  });
  const counts = join(folder, "Rep1_stdata.tsv.gz");
  const rows = places.map(({ name }, i) => {
    const found = countsOf(i);
    return [name, ...GENES.map((gene) => found[gene] ?? 0)].join("\t");
  });
  await writeFile(counts, gzipSync(`${["", ...GENES].join("\t")}\n${rows.join("\n")}\n`));
  const coordinates = join(folder, "Rep1_selection.tsv");
  const lines = places.map(({ row, col, x, y, inTissue }) =>
    [col, row, col + 0.02, row - 0.01, x, y, Number(inTissue)].join("\t"),
  );
  await writeFile(
    coordinates,
    `x\ty\tnew_x\tnew_y\tpixel_x\tpixel_y\tselected\n${lines.join("\n")}\n`,
  );
  const { array } = platformById("st");
  return {
    files: { counts, coordinates, he_image: await writeImage(join(folder, "Rep1_HE.jpg")) },
    micronsPerPixel: 2 * UM_PER_PX,
    ...array!,
    ...truthOf(places),
  };
}
