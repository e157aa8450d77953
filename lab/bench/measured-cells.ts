/**
 * A test on real fluorescence data: transcripts of a measured MERFISH section (../shared/data/merfish-mouse-brain-if)
 * are counted in spots or bins, analyzed with its DAPI image, and compared with its outlined cells.
 *   node lab/bench/measured-cells.ts [--array visium|hd_visium] [--fine-bins] [--out DIR]
 * With --fine-bins, 2 µm bins are counted as well, and methods of assigning them to cells are compared. The section
 * measures 0.50 × 0.45 mm, covered by contiguous 8 µm bins or by 55 µm spots on Visium's lattice. About 30 s.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import type { Polygons } from "@stipple/pipeline/fields";
import { pearson } from "@stipple/pipeline/numerics/pearson";
import { analysis } from "@stipple/pipeline/analysis";
import { analysisSettings } from "@stipple/pipeline/settings";
import type { ExpectedCounts } from "@stipple/pipeline/model/expected-counts";
import { readResult } from "@stipple/pipeline/store/results-folder";
import {
  detection,
  matchByCenter,
  matchByOverlap,
} from "../../packages/tissue/src/metrics/detection.ts";
import { writeFeatureH5 } from "../../packages/tissue/src/write/feature-matrix.ts";
import { assignments } from "./fine-bins/assignments.ts";

const DATA = resolve(import.meta.dirname, "../../../shared/data/merfish-mouse-brain-if");
/** Position and size of the section on its slide, and size of its image pixels, µm. */
const [LEFT, TOP, WIDE, HIGH] = [6400, 4699.98, 499.9, 449.9];
const UM_PER_PX = 0.1086;
const BIN_UM = 8;
const FINE_UM = 2;
const PITCH_UM = 100;
const SPOT_UM = 55;
/** Found and measured cells match within 5 µm. */
const CENTER_UM = 5;

const { values } = parseArgs({
  options: {
    array: { type: "string", default: "hd_visium" },
    "fine-bins": { type: "boolean", default: false },
    out: { type: "string", default: join(tmpdir(), "stipple-measured-cells") },
  },
});
if (!existsSync(DATA)) throw new Error(`${DATA} is not there`);
const hd = values.array === "hd_visium";
const fine = hd && values["fine-bins"];

function table(name: string): string[][] {
  const bytes = readFileSync(join(DATA, name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
}

interface Spot {
  barcode: string;
  row: number;
  column: number;
  /** Center in the section, µm. */
  x: number;
  y: number;
}

/** Contiguous bins, or a hexagonal lattice of spots. */
function layOut(): Spot[] {
  const spots: Spot[] = [];
  const [dx, dy] = hd ? [BIN_UM, BIN_UM] : [PITCH_UM / 2, (PITCH_UM * Math.sqrt(3)) / 2];
  for (let row = 0; (row + 0.5) * dy < HIGH; row++) {
    for (let column = hd ? 0 : row % 2; (column + 0.5) * dx < WIDE; column += hd ? 1 : 2) {
      const digits = (n: number): string => String(n).padStart(5, "0");
      const barcode = hd
        ? `s_008um_${digits(row)}_${digits(column)}-1`
        : `SPOT${digits(row)}${digits(column)}-1`;
      spots.push({ barcode, row, column, x: (column + 0.5) * dx, y: (row + 0.5) * dy });
    }
  }
  return spots;
}

async function writeInput(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const spots = layOut();
  const at = new Map(spots.map((spot, i) => [`${spot.row}/${spot.column}`, i]));
  const genes: string[] = [];
  const geneOf = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const [x, y, gene] of table("vizgen_transcripts.gz")) {
    if (gene.startsWith("Blank")) continue;
    if (!geneOf.has(gene)) geneOf.set(gene, genes.push(gene) - 1);
    const [u, v] = [Number(x) - LEFT, Number(y) - TOP];
    const spot = hd
      ? at.get(`${Math.floor(v / BIN_UM)}/${Math.floor(u / BIN_UM)}`)
      : spots.findIndex((each) => Math.hypot(each.x - u, each.y - v) <= SPOT_UM / 2);
    if (spot === undefined || spot < 0) continue;
    const key = `${geneOf.get(gene)! + 1} ${spot + 1}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const lines = [
    "%%MatrixMarket matrix coordinate integer general",
    `${genes.length} ${spots.length} ${counts.size}`,
    ...Array.from(counts, ([key, count]) => `${key} ${count}`),
  ];
  const put = (name: string, text: string): Promise<void> =>
    writeFile(join(folder, name), name.endsWith(".gz") ? gzipSync(text) : text);
  await put("matrix.mtx.gz", `${lines.join("\n")}\n`);
  await put("barcodes.tsv.gz", spots.map(({ barcode }) => `${barcode}\n`).join(""));
  await put("features.tsv.gz", genes.map((g) => `${g}\t${g}\tGene Expression\n`).join(""));
  await put(
    "tissue_positions.csv",
    spots
      .map((s) => [s.barcode, 1, s.row, s.column, s.y / UM_PER_PX, s.x / UM_PER_PX].join())
      .join("\n"),
  );
  await put(
    "scalefactors_json.json",
    JSON.stringify({
      spot_diameter_fullres: (hd ? BIN_UM : 65) / UM_PER_PX,
      ...(hd ? { bin_size_um: BIN_UM, microns_per_pixel: UM_PER_PX } : {}),
    }),
  );
  if (fine) await writeFineBins(join(folder, FINE_FILE), genes, geneOf);
  const tiles = { tile: true, compression: "deflate" } as const;
  await sharp(join(DATA, "mini_dataset_dapi_z0.jpg")).tiff(tiles).toFile(join(folder, "image.tif"));
}

const FINE_FILE = "square_002um.h5";

/** Writes the transcripts in 2 µm bins, in Space Ranger's format. */
async function writeFineBins(
  path: string,
  genes: readonly string[],
  geneOf: ReadonlyMap<string, number>,
): Promise<void> {
  const columns = Math.floor(WIDE / BIN_UM) * (BIN_UM / FINE_UM);
  const rows = Math.floor(HIGH / BIN_UM) * (BIN_UM / FINE_UM);
  const counts: Map<number, number>[] = Array.from({ length: rows * columns }, () => new Map());
  for (const [x, y, gene] of table("vizgen_transcripts.gz")) {
    const own = geneOf.get(gene);
    const [row, column] = [Number(y) - TOP, Number(x) - LEFT].map((at) => Math.floor(at / FINE_UM));
    if (own === undefined || row < 0 || column < 0 || row >= rows || column >= columns) continue;
    const bin = counts[row * columns + column];
    bin.set(own, (bin.get(own) ?? 0) + 1);
  }
  const digits = (n: number): string => String(n).padStart(5, "0");
  const indptr = new Uint32Array(counts.length + 1);
  counts.forEach((bin, i) => (indptr[i + 1] = indptr[i] + bin.size));
  const entries = counts.flatMap((bin) => [...bin].sort(([a], [b]) => a - b));
  await writeFeatureH5(path, {
    barcodes: counts.map(
      (_, i) => `s_002um_${digits(Math.floor(i / columns))}_${digits(i % columns)}-1`,
    ),
    genes: genes.map((name) => ({ id: name, symbol: name })),
    genome: "GRCm39",
    counts: {
      nRows: counts.length,
      nCols: genes.length,
      indptr,
      indices: Uint32Array.from(entries, ([gene]) => gene),
      data: Float32Array.from(entries, ([, count]) => count),
    },
  });
}

/** The measured outlines of whole cells, in image px. */
function outlines(): Polygons {
  const rings = new Map<string, number[]>();
  for (const [x, y, id] of table("z0_polygons.gz")) {
    const ring = rings.get(id) ?? [];
    ring.push((Number(x) - LEFT) / UM_PER_PX, (-Number(y) - TOP) / UM_PER_PX);
    rings.set(id, ring);
  }
  const all = [...rings.values()];
  const offsets = new Uint32Array(all.length + 1);
  all.forEach((ring, i) => (offsets[i + 1] = offsets[i] + ring.length / 2));
  return { offsets, xy: Float32Array.from(all.flat()) };
}

const input = join(values.out, `${values.array}${fine ? "-2um" : ""}`);
const results = join(values.out, `${values.array}${fine ? "-2um" : ""}-results`);
await rm(results, { recursive: true, force: true });
await writeInput(input);
await analysis.run({
  input,
  results,
  settings: analysisSettings.parse({
    platform: values.array,
    staining: "if",
    ...(hd ? { resolution: "8" } : {}),
  }),
  threads: 2,
  signal: new AbortController().signal,
  listener: { log: (line) => console.log(`  ${line}`) },
});

const known = outlines();
for (const [name, field] of [
  ["nuclei", "nuclei/polygon"],
  ["cells", "cells/polygon"],
] as const) {
  const found = await readResult(results, field);
  const [nTrue, nFound] = [known.offsets.length - 1, found.offsets.length - 1];
  const paired = matchByOverlap(known, found, 0.5).filter((other) => other >= 0).length;
  const { f1, precision, recall } = detection(paired, nFound, nTrue);
  console.log(
    `${name} on outlined cells, overlap ≥ 0.5: F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${nFound} found, ${nTrue} outlined)`,
  );
}

const measured = table("cells.csv").map(([, x, y]) => [
  (Number(x) - LEFT) / UM_PER_PX,
  (Number(y) - TOP) / UM_PER_PX,
]);
const xy = await readResult(results, "cells/xy");
const paired = matchByCenter(measured.flat(), xy.data, CENTER_UM / UM_PER_PX);
const nPaired = paired.filter((other) => other >= 0).length;
const centers = detection(nPaired, xy.nRows, measured.length);
console.log(`centers within ${CENTER_UM} µm: F1 ${centers.f1.toFixed(3)}`);

const text = gunzipSync(readFileSync(join(DATA, "cells_x_genes.csv.gz"))).toString("utf8");
const measuredGenes = text.slice(0, text.indexOf("\n")).trim().split(",").slice(1);
const cellRows = table("cells_x_genes.csv.gz");
const names = await readResult(results, "genes/symbol");
const rates = await readResult(results, "cells/rate");
const counts = await readResult(results, "cells/counts");
const spotXy = await readResult(results, "spots/xy");
const spotCounts = await readResult(results, "spots/counts");
const nearest = measured.map(([x, y]) => {
  let best = 0;
  let least = Infinity;
  for (let s = 0; s < spotXy.nRows; s++) {
    const d = Math.hypot(spotXy.data[2 * s] - x, spotXy.data[2 * s + 1] - y);
    if (d < least) [best, least] = [s, d];
  }
  return best;
});

/** One column of a sparse matrix. */
function column(matrix: typeof counts, gene: number): Float64Array {
  const out = new Float64Array(matrix.nRows);
  for (let row = 0; row < matrix.nRows; row++) {
    for (let k = matrix.indptr[row]; k < matrix.indptr[row + 1]; k++) {
      if (matrix.indices[k] === gene) out[row] += matrix.data[k];
    }
  }
  return out;
}

const ways = fine ? await assignments(results, join(input, FINE_FILE)) : {};
const allocated = denseAllocated(await readResult(results, "cells/allocated"));
/** Each method's correlations by gene: over all measured cells, and over those found. */
const scores: Record<string, { all: number[]; found: number[] }> = {};
for (const [g, gene] of measuredGenes.entries()) {
  const own = names.indexOf(gene);
  const truth = cellRows.map((row) => Number(row[g + 1]));
  if (own < 0 || truth.reduce((a, b) => a + b, 0) < 50) continue;
  const given = {
    rate: rates.column(own),
    counts: column(counts, own),
    allocated: allocated(own),
    "nearest spot or bin": column(spotCounts, own),
    ...Object.fromEntries(
      Object.entries(ways).map(([name, matrix]) => [name, column(matrix, own)]),
    ),
  };
  for (const [name, all] of Object.entries(given)) {
    const of = name === "nearest spot or bin" ? nearest : paired;
    // A missed cell counts as a prediction of 0.
    const predicted = Float64Array.from(of, (other) => (other >= 0 ? all[other] : 0));
    const found = Array.from(paired.keys()).filter((cell) => paired[cell] >= 0);
    const correlation = (cells: readonly number[]): number =>
      pearson(
        cells.map((cell) => truth[cell]),
        cells.map((cell) => predicted[cell]),
      ) || 0;
    const score = (scores[name] ??= { all: [], found: [] });
    score.all.push(correlation([...truth.keys()]));
    score.found.push(correlation(found));
  }
}
const median = (list: readonly number[]): string =>
  list.toSorted((a, b) => a - b)[list.length >> 1].toFixed(3);
for (const [name, { all, found }] of Object.entries(scores)) {
  console.log(
    `${name}: median correlation over ${measured.length} cells ${median(all)}, over the ${nPaired} that were found ${median(found)} (${all.length} genes)`,
  );
}

/** Reads the expected allocation gene by gene. */
function denseAllocated(expected: ExpectedCounts): (gene: number) => Float64Array {
  const { lengths, indices, values: given } = expected.rows(0, expected.nCells, 0);
  return (gene) => {
    const out = new Float64Array(expected.nCells);
    for (let cell = 0, e = 0; cell < out.length; cell++) {
      for (const end = e + lengths[cell]; e < end; e++)
        if (indices[e] === gene) out[cell] += given[e];
    }
    return out;
  };
}
