import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { Random } from "@stipple/numerics/random";
import { readPositions } from "@stipple/pipeline/samples";
import { readH5Matrix } from "@stipple/pipeline/internal/readers/space-ranger/read-h5-matrix";
import { simulateTissue } from "@stipple/tissue";
import type { SampleSize } from "./sizes.ts";

/** Side of a simulated piece, which is tiled, µm. */
export const PIECE_UM = 1200;
const PANEL = 1000;
/**
 * A realistic number of genes: this many copies of the panel, each with fewer counts, so that half of the genes are
 * rare.
 */
const COPIES = 18;
const [FIRST_SHARE, NEXT_SHARE] = [0.6, 0.75];

/** Counts at one place. */
export interface PlaceCounts {
  genes: Uint32Array;
  counts: Uint32Array;
}

/** The places of one array of a piece. */
export interface PieceArray {
  /** The place nearest to a point of the piece, µm. */
  nearest(x: number, y: number): PlaceCounts;
}

export interface Piece {
  /** Interleaved samples, or channel after channel. */
  pixels: Uint8Array | Uint16Array;
  sidePx: number;
  /** Null for H&E. */
  channels: string[] | null;
  genes: { id: string; symbol: string }[];
  main: PieceArray;
  fine: PieceArray | null;
}

/** Simulates a piece under `folder`, or reuses the existing one. */
export async function openPiece(folder: string, size: SampleSize): Promise<Piece> {
  const { platform, staining, umPerPx, fineBins, cellDensity } = size;
  const name = ["piece", platform, staining, umPerPx, fineBins ? "2um" : null, cellDensity];
  const out = join(folder, name.filter((part) => part != null).join("-"));
  if (!existsSync(join(out, "image.tif"))) {
    await simulateTissue({
      out,
      platform,
      staining,
      umPerPx,
      fineBins,
      sizeUm: PIECE_UM,
      nGenes: PANEL,
      seed: 5,
      ...(cellDensity !== undefined && { cellDensity }),
    });
  }
  const base = (binUm: string): string =>
    platform === "hd_visium" ? join(out, "binned_outputs", `square_${binUm}um`) : out;
  const { array, genes } = await readArray(base("008"), platform, umPerPx);
  const fine = fineBins ? (await readArray(base("002"), platform, umPerPx)).array : null;
  return { ...(await readImage(join(out, "image.tif"))), genes, main: array, fine };
}

async function readImage(path: string): Promise<Pick<Piece, "pixels" | "sidePx" | "channels">> {
  const { pages = 1, width, depth } = await sharp(path, { limitInputPixels: false }).metadata();
  const planes: Buffer[] = [];
  for (let page = 0; page < pages; page++) {
    const image = sharp(path, { page, limitInputPixels: false });
    const raw = depth === "ushort" ? image.raw({ depth: "ushort" }) : image.raw();
    planes.push(await raw.toBuffer());
  }
  const bytes = Buffer.concat(planes);
  const wide = depth === "ushort";
  return {
    pixels: wide
      ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    sidePx: width,
    channels: pages > 1 ? Array.from({ length: pages }, (_, i) => `Channel ${i + 1}`) : null,
  };
}

async function readArray(
  folder: string,
  platform: SampleSize["platform"],
  umPerPx: number,
): Promise<{ array: PieceArray; genes: Piece["genes"] }> {
  const hd = platform === "hd_visium";
  const positions = await readPositions({
    path: join(folder, "spatial", hd ? "tissue_positions.parquet" : "tissue_positions.csv"),
    format: hd ? "parquet" : "csv",
  });
  const { barcode, counts, genes } = await readH5Matrix(
    join(folder, "filtered_feature_bc_matrix.h5"),
    { keep: (all) => new Uint8Array(all.length).fill(1) },
  );
  const placeOf = new Map(positions.barcode.map((name, i) => [name, i]));
  const random = new Random(1);
  const places = barcode.map((name, row) => {
    const own = repeated(
      counts.indices.subarray(counts.indptr[row], counts.indptr[row + 1]),
      counts.data.subarray(counts.indptr[row], counts.indptr[row + 1]),
      genes.id.length,
      random,
    );
    const at = placeOf.get(name)!;
    return { x: positions.x[at] * umPerPx, y: positions.y[at] * umPerPx, own };
  });
  const all = Array.from({ length: COPIES }, (_, copy) =>
    genes.id.map((id, g) => ({
      id: copy === 0 ? id : `${id}.${copy}`,
      symbol: copy === 0 ? genes.symbol[g] : `${genes.symbol[g]}.${copy}`,
    })),
  ).flat();
  return { array: { nearest: nearestOf(places) }, genes: all };
}

/** The counts of the panel and of its copies. */
function repeated(
  genes: Uint32Array,
  counts: Float32Array,
  panel: number,
  random: Random,
): PlaceCounts {
  const own: [number[], number[]] = [Array.from(genes), Array.from(counts)];
  for (let copy = 1; copy < COPIES; copy++) {
    const share = FIRST_SHARE * NEXT_SHARE ** (copy - 1);
    genes.forEach((gene, k) => {
      const count = random.poisson(share * counts[k]);
      if (count === 0) return;
      own[0].push(copy * panel + gene);
      own[1].push(count);
    });
  }
  return { genes: Uint32Array.from(own[0]), counts: Uint32Array.from(own[1]) };
}

/**
 * Bins places into squares of their width: the nearest is in the first non-empty ring of squares, or the one around it.
 */
function nearestOf(
  places: readonly { x: number; y: number; own: PlaceCounts }[],
): PieceArray["nearest"] {
  const width = PIECE_UM / Math.max(1, Math.floor(Math.sqrt(places.length)));
  const across = Math.ceil(PIECE_UM / width);
  const squares: (typeof places)[number][][] = Array.from({ length: across * across }, () => []);
  for (const place of places) {
    squares[Math.floor(place.y / width) * across + Math.floor(place.x / width)]?.push(place);
  }
  return (x, y) => {
    const [row, column] = [Math.floor(y / width), Math.floor(x / width)];
    let best = places[0];
    let least = Infinity;
    for (let ring = 0, last = across; ring <= last; ring++) {
      for (let r = row - ring; r <= row + ring; r++) {
        for (let c = column - ring; c <= column + ring; c++) {
          if (Math.max(Math.abs(r - row), Math.abs(c - column)) < ring) continue;
          if (r < 0 || c < 0 || r >= across || c >= across) continue;
          for (const place of squares[r * across + c]) {
            const away = (place.x - x) ** 2 + (place.y - y) ** 2;
            if (away >= least) continue;
            [best, least] = [place, away];
            last = Math.min(last, ring + 1);
          }
        }
      }
    }
    return best.own;
  };
}
