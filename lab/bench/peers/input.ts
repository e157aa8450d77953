import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { readH5Matrix } from "@stipple/pipeline/internal/readers/space-ranger/read-h5-matrix";
import { writeFeatureH5 } from "../../../packages/tissue/src/write/feature-matrix.ts";

/** A cell's type is its number modulo this. */
export const TYPES = 12;
const [GENES, UMIS] = [2000, 400];
/** Number of marker genes per type, and their fold change. */
const [MARKERS, TIMES] = [60, 6];

/** Writes counts of single cells of known types in Space Ranger's format. */
export async function makeCells(path: string, nCells: number): Promise<void> {
  if (existsSync(path)) return;
  const random = new Random(1);
  const base = Float64Array.from({ length: GENES }, () => Math.exp(1.5 * random.normal()));
  const cumulative = Array.from({ length: TYPES }, () => {
    const own = base.slice();
    for (let marker = 0; marker < MARKERS; marker++) own[random.below(GENES)] *= TIMES;
    let sum = 0;
    return own.map((each) => (sum += each));
  });
  const counts: SparseMatrix = {
    nRows: nCells,
    nCols: GENES,
    indptr: new Uint32Array(nCells + 1),
    indices: new Uint32Array(nCells * UMIS * 3),
    data: new Float32Array(nCells * UMIS * 3),
  };
  const row = new Uint32Array(GENES);
  let size = 0;
  for (let cell = 0; cell < nCells; cell++) {
    row.fill(0);
    const share = cumulative[cell % TYPES];
    const umis = Math.min(3 * UMIS, Math.round(UMIS * Math.exp(0.4 * random.normal())));
    for (let n = 0; n < umis; n++) row[firstAbove(share, random.uniform() * share[GENES - 1])]++;
    for (let gene = 0; gene < GENES; gene++) {
      if (row[gene] === 0) continue;
      counts.indices[size] = gene;
      counts.data[size++] = row[gene];
    }
    counts.indptr[cell + 1] = size;
  }
  counts.indices = counts.indices.slice(0, size);
  counts.data = counts.data.slice(0, size);
  await writeFeatureH5(`${path}.new`, {
    barcodes: Array.from({ length: nCells }, (_, cell) => `CELL${cell}-1`),
    genes: Array.from({ length: GENES }, (_, gene) => ({ id: `G${gene}`, symbol: `GENE${gene}` })),
    genome: "GRCh38",
    counts,
  });
  await rename(`${path}.new`, path);
}

function firstAbove(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Writes the same counts as gzipped text. Returns the path of matrix.mtx.gz. */
export async function makeText(folder: string, h5: string): Promise<string> {
  const path = join(folder, "matrix.mtx.gz");
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const { barcode, genes, counts } = await readH5Matrix(h5, {
    keep: (barcodes) => new Uint8Array(barcodes.length).fill(1),
  });
  await writeFile(join(folder, "barcodes.tsv.gz"), gzipSync(`${barcode.join("\n")}\n`));
  const features = genes.id.map((id, g) => `${id}\t${genes.symbol[g]}\tGene Expression\n`);
  await writeFile(join(folder, "features.tsv.gz"), gzipSync(features.join("")));
  const { nRows, nCols, indptr, indices, data } = counts;
  function* lines(): Generator<string> {
    yield `%%MatrixMarket matrix coordinate integer general\n%\n${nCols} ${nRows} ${data.length}\n`;
    for (let row = 0; row < nRows; row++) {
      let text = "";
      for (let k = indptr[row]; k < indptr[row + 1]; k++) {
        text += `${indices[k] + 1} ${row + 1} ${data[k]}\n`;
      }
      yield text;
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(`${path}.new`));
  await rename(`${path}.new`, path);
  return path;
}
