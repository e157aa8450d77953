import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import h5wasm, { type Group } from "h5wasm/node";
import { parquetWriteBuffer } from "hyparquet-writer";
import { writeTiledTiff } from "@stipple/formats/tiff/write-tiled-tiff";
import { PIECE_UM, type Piece, type PieceArray } from "./piece.ts";
import type { SampleSize } from "./sizes.ts";

const PITCH_UM = 100;
const NEVER = new AbortController().signal;

interface Place {
  barcode: string;
  row: number;
  col: number;
  /** µm. */
  x: number;
  y: number;
}

/** Tiles a piece into a sample of any size, file by file; only one piece is in memory. */
export async function layOut(folder: string, size: SampleSize, piece: Piece): Promise<void> {
  const making = `${folder}.making`;
  await mkdir(making, { recursive: true });
  await writeImage(join(making, "image.tif"), size, piece);
  if (size.platform === "hd_visium") {
    await writeBins(making, { binUm: 8, size, piece, array: piece.main });
    if (piece.fine) await writeBins(making, { binUm: 2, size, piece, array: piece.fine });
  } else {
    const places = [...spots(size)];
    await writeCounts(join(making, "filtered_feature_bc_matrix.h5"), places, piece, piece.main);
    await writeSpatial(join(making, "spatial"), size, places, { binUm: null });
  }
  await rename(making, folder);
}

async function writeImage(
  path: string,
  { sideUm, umPerPx }: SampleSize,
  { pixels, sidePx, channels }: Piece,
): Promise<void> {
  const side = Math.round(sideUm / umPerPx);
  const samples = channels ? 1 : 3;
  const page = (plane: number) => ({
    rows(y: number, count: number) {
      const kind = pixels instanceof Uint16Array ? Uint16Array : Uint8Array;
      const band = new kind(count * side * samples);
      for (let row = 0; row < count; row++) {
        const source = (plane * sidePx + ((y + row) % sidePx)) * sidePx * samples;
        const line = pixels.subarray(source, source + sidePx * samples);
        for (let x = 0; x < side; x += sidePx) {
          const wide = Math.min(sidePx, side - x) * samples;
          band.set(line.subarray(0, wide), (row * side + x) * samples);
        }
      }
      return Promise.resolve(band);
    },
  });
  await writeTiledTiff(
    path,
    {
      widthPx: side,
      heightPx: side,
      bits: pixels instanceof Uint16Array ? 16 : 8,
      samples,
      channelNames: channels ?? [],
      pages: (channels ?? ["color"]).map((_, plane) => page(plane)),
    },
    NEVER,
  );
}

function* spots({ sideUm, maxSpots = Infinity }: SampleSize): Generator<Place> {
  let made = 0;
  const margin = PITCH_UM / 2;
  for (let row = 0; ; row++) {
    const y = margin + (row * PITCH_UM * Math.sqrt(3)) / 2;
    if (y > sideUm - margin) return;
    for (let at = 0; ; at++) {
      const x = margin + PITCH_UM * (at + (row % 2) / 2);
      if (x > sideUm - margin) break;
      if (made++ >= maxSpots) return;
      yield { barcode: acgt(row * 1000 + at), row, col: 2 * at + (row % 2), x, y };
    }
  }
}

function acgt(number: number): string {
  return `${Array.from({ length: 16 }, (_, i) => "ACGT"[(number >> (2 * i)) & 3]).join("")}-1`;
}

function* bins(sideUm: number, binUm: number): Generator<Place> {
  const side = Math.floor(sideUm / 8) * (8 / binUm);
  const digits = (value: number, width: number): string => String(value).padStart(width, "0");
  for (let row = 0; row < side; row++) {
    for (let col = 0; col < side; col++) {
      const barcode = `s_${digits(binUm, 3)}um_${digits(row, 5)}_${digits(col, 5)}-1`;
      yield { barcode, row, col, x: (col + 0.5) * binUm, y: (row + 0.5) * binUm };
    }
  }
}

async function writeBins(
  folder: string,
  {
    binUm,
    size,
    piece,
    array,
  }: { binUm: 2 | 8; size: SampleSize; piece: Piece; array: PieceArray },
): Promise<void> {
  const out = join(folder, "binned_outputs", `square_00${binUm}um`);
  await mkdir(out, { recursive: true });
  const places = bins(size.sideUm, binUm);
  await writeCounts(join(out, "filtered_feature_bc_matrix.h5"), places, piece, array);
  // Positions of the finest bins are not read.
  if (binUm === 8) {
    await writeSpatial(join(out, "spatial"), size, [...bins(size.sideUm, binUm)], { binUm });
  }
}

/** Counts per chunk, as in Cell Ranger. */
const CHUNK = 80_000;
/** Places held in memory before their counts are written. */
const BLOCK = 50_000;

async function writeCounts(
  path: string,
  places: Iterable<Place>,
  { genes }: Piece,
  array: PieceArray,
): Promise<void> {
  await h5wasm.ready;
  // Space Ranger's format, except that it also shuffles bytes: h5wasm supports only one filter at a time.
  const file = new h5wasm.File(path, "w", { libver: ["earliest", "latest"] });
  const group = file.create_group("matrix");
  const growing = (name: string): ((values: Int32Array) => void) => {
    const dataset = group.create_dataset({
      name,
      data: new Int32Array(0),
      shape: [0],
      maxshape: [null],
      chunks: [CHUNK],
      compression: 4,
    });
    let written = 0;
    return (values) => {
      if (values.length === 0) return;
      dataset.resize([written + values.length]);
      dataset.write_slice([[written, written + values.length]], values);
      written += values.length;
    };
  };
  const [appendIndices, appendData] = [growing("indices"), growing("data")];
  const barcodes: string[] = [];
  const indptr: number[] = [0];
  let block: { genes: Uint32Array; counts: Uint32Array }[] = [];
  let length = 0;
  const flush = (): void => {
    const [allGenes, allCounts] = [new Int32Array(length), new Int32Array(length)];
    let at = 0;
    for (const own of block) {
      allGenes.set(own.genes, at);
      allCounts.set(own.counts, at);
      at += own.genes.length;
    }
    appendIndices(allGenes);
    appendData(allCounts);
    block = [];
    length = 0;
  };
  for (const place of places) {
    const own = array.nearest(place.x % PIECE_UM, place.y % PIECE_UM);
    barcodes.push(place.barcode);
    indptr.push(indptr.at(-1)! + own.genes.length);
    block.push(own);
    length += own.genes.length;
    if (block.length === BLOCK) flush();
  }
  flush();
  writeTexts(group, "barcodes", barcodes);
  group.create_dataset({ name: "indptr", data: BigInt64Array.from(indptr, BigInt) });
  group.create_dataset({ name: "shape", data: Int32Array.of(genes.length, barcodes.length) });
  const features = group.create_group("features");
  writeTexts(
    features,
    "id",
    genes.map(({ id }) => id),
  );
  writeTexts(
    features,
    "name",
    genes.map(({ symbol }) => symbol),
  );
  writeTexts(
    features,
    "feature_type",
    genes.map(() => "Gene Expression"),
  );
  file.close();
}

function writeTexts(group: Group, name: string, texts: string[]): void {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 1);
  group.create_dataset({ name, data: texts, dtype: `S${longest}`, shape: [texts.length] });
}

async function writeSpatial(
  folder: string,
  { umPerPx }: SampleSize,
  places: readonly Place[],
  { binUm }: { binUm: number | null },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const factors =
    binUm === null
      ? { spot_diameter_fullres: 65 / umPerPx }
      : { spot_diameter_fullres: binUm / umPerPx, bin_size_um: binUm, microns_per_pixel: umPerPx };
  await writeFile(join(folder, "scalefactors_json.json"), JSON.stringify(factors));
  if (binUm === null) {
    const lines = places.map(
      ({ barcode, row, col, x, y }) =>
        `${barcode},1,${row},${col},${(y / umPerPx).toFixed(2)},${(x / umPerPx).toFixed(2)}`,
    );
    const head = "barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres";
    await writeFile(join(folder, "tissue_positions.csv"), `${head}\n${lines.join("\n")}\n`);
    return;
  }
  const column = (name: string, of: (place: Place) => number, type: "INT32" | "DOUBLE") => ({
    name,
    data: places.map(of),
    type,
  });
  const parquet = parquetWriteBuffer({
    columnData: [
      { name: "barcode", data: places.map(({ barcode }) => barcode), type: "STRING" },
      column("in_tissue", () => 1, "INT32"),
      column("array_row", ({ row }) => row, "INT32"),
      column("array_col", ({ col }) => col, "INT32"),
      column("pxl_row_in_fullres", ({ y }) => y / umPerPx, "DOUBLE"),
      column("pxl_col_in_fullres", ({ x }) => x / umPerPx, "DOUBLE"),
    ],
  });
  await writeFile(join(folder, "tissue_positions.parquet"), Buffer.from(parquet));
}
