import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { H5File, openLibrary } from "@stipple/formats/hdf5/library";
import type { Gene } from "../expression/genes.ts";

const zip = promisify(gzip);

/** Counts of selected barcodes (rows, in the order of `barcodes`) and all genes. */
export interface FeatureMatrix {
  barcodes: readonly string[];
  genes: readonly Pick<Gene, "id" | "symbol">[];
  genome: string;
  counts: SparseMatrix;
}

/** Selects rows of a matrix, in the given order. */
export function selectRows(matrix: SparseMatrix, rows: readonly number[]): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    indptr[i + 1] = indptr[i] + matrix.indptr[row + 1] - matrix.indptr[row];
  });
  const indices = new Uint32Array(indptr[rows.length]);
  const data = new Float32Array(indptr[rows.length]);
  rows.forEach((row, i) => {
    indices.set(matrix.indices.subarray(matrix.indptr[row], matrix.indptr[row + 1]), indptr[i]);
    data.set(matrix.data.subarray(matrix.indptr[row], matrix.indptr[row + 1]), indptr[i]);
  });
  return { nRows: rows.length, nCols: matrix.nCols, indptr, indices, data };
}

/**
 * Writes barcodes.tsv.gz, features.tsv.gz, and matrix.mtx.gz in Space Ranger's format (genes × barcodes,
 * 1-based).
 */
export async function writeMex(folder: string, matrix: FeatureMatrix): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { counts, genes, barcodes } = matrix;
  const lines = [
    "%%MatrixMarket matrix coordinate integer general",
    '%metadata_json: {"format_version": 2, "software_version": "stipple simulate"}',
    `${genes.length} ${barcodes.length} ${counts.data.length}`,
  ];
  for (let row = 0; row < counts.nRows; row++) {
    for (let k = counts.indptr[row]; k < counts.indptr[row + 1]; k++) {
      lines.push(`${counts.indices[k] + 1} ${row + 1} ${counts.data[k]}`);
    }
  }
  const features = genes.map((gene) => `${gene.id}\t${gene.symbol}\tGene Expression`);
  const write = async (name: string, text: readonly string[]): Promise<void> =>
    writeFile(join(folder, name), await zip(`${text.join("\n")}\n`));
  await write("barcodes.tsv.gz", barcodes);
  await write("features.tsv.gz", features);
  await write("matrix.mtx.gz", lines);
}

/** Writes the same matrix as HDF5 (10x v3: CSC of features × barcodes under /matrix). */
export async function writeFeatureH5(path: string, matrix: FeatureMatrix): Promise<void> {
  await openLibrary();
  const { counts, genes, barcodes, genome } = matrix;
  const file = new H5File(path, "w");
  try {
    file.create_attribute("filetype", "matrix");
    file.create_attribute("chemistry_description", "Visium V1 Slide (simulated)");
    file.create_attribute("version", 2, null, "<i");
    const group = file.create_group("matrix");
    const ints = (name: string, data: Int32Array | BigInt64Array, dtype: string): void => {
      group.create_dataset({ name, data, dtype, shape: [data.length] });
    };
    const texts = (parent: typeof group, name: string, data: readonly string[]): void => {
      // Not spread into one Math.max: a slide has more barcodes than a call can have arguments.
      const length = data.reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 1);
      parent.create_dataset({ name, data: [...data], dtype: `S${length}`, shape: [data.length] });
    };
    texts(group, "barcodes", barcodes);
    ints("data", Int32Array.from(counts.data), "<i");
    ints("indices", BigInt64Array.from(counts.indices, BigInt), "<q");
    ints("indptr", BigInt64Array.from(counts.indptr, BigInt), "<q");
    ints("shape", Int32Array.of(genes.length, barcodes.length), "<i");
    const features = group.create_group("features");
    texts(
      features,
      "id",
      genes.map((gene) => gene.id),
    );
    texts(
      features,
      "name",
      genes.map((gene) => gene.symbol),
    );
    texts(
      features,
      "feature_type",
      genes.map(() => "Gene Expression"),
    );
    texts(
      features,
      "genome",
      genes.map(() => genome),
    );
    texts(features, "_all_tag_keys", ["genome"]);
  } finally {
    file.close();
  }
}
