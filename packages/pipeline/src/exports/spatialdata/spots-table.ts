import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { writeFrame, type AnnDataTarget } from "../anndata/target.ts";
import { writeCsr } from "../anndata/write-anndata.ts";
import type { GeneTable } from "../csv/gene-reliability.ts";

/** Measurements by spot or by bin. */
export interface SpotContent {
  barcodes: readonly string[];
  xy: Matrix;
  /** Alternating array_row and array_col. */
  array: Int32Array;
  cluster: Int32Array;
  totalCounts: Float64Array;
  counts: SparseMatrix;
  genes: Pick<GeneTable, "ids" | "names" | "symbols">;
  /** Null without a reference. */
  proportions: Proportions | null;
}

/** Proportions of a reference's labels in the spots and their intervals, spots × labels. */
export interface Proportions {
  labels: readonly string[];
  share: Matrix<Float32Array>;
  low: Matrix<Float32Array>;
  high: Matrix<Float32Array>;
}

/**
 * Writes the measured counts as an AnnData object whose rows represent the shapes `region.name`. Rows are streamed.
 */
export async function writeSpotsTable(
  target: AnnDataTarget,
  content: SpotContent,
  options: { region: { key: string; name: string }; signal: AbortSignal },
): Promise<void> {
  const { barcodes, xy, array, cluster, region } = { ...content, ...options };
  const column = (at: 0 | 1): Int32Array =>
    Int32Array.from({ length: barcodes.length }, (_, spot) => array[2 * spot + at]);
  const clusters = cluster.reduce((most, own) => Math.max(most, own + 1), 0);
  writeFrame(target, "obs", barcodes, [
    ["barcode", barcodes],
    ["in_tissue", new Int32Array(barcodes.length).fill(1)],
    ["array_row", column(0)],
    ["array_col", column(1)],
    [
      "cluster",
      { codes: cluster, categories: Array.from({ length: clusters }, (_, at) => String(at)) },
    ],
    ["total_counts", Int32Array.from(content.totalCounts)],
    [region.key, { codes: new Int32Array(barcodes.length), categories: [region.name] }],
  ]);
  const { ids, names, symbols } = content.genes;
  writeFrame(target, "var", names, [
    ["gene_ids", ids],
    ["symbol", symbols],
  ]);
  for (const group of ["layers", "obsm", "obsp", "varm", "varp"]) target.group(group);
  target.array("obsm/spatial", Float64Array.from(xy.data), [xy.nRows, 2]);
  if (content.proportions) {
    const { share, low, high } = content.proportions;
    const parts = { proportion: share, proportion_low: low, proportion_high: high };
    for (const [name, { data, nRows, nCols }] of Object.entries(parts)) {
      target.array(`obsm/${name}`, data, [nRows, nCols]);
    }
  }
  await writeCsr(target, "X", content.counts, "<f", options);
  target.group("uns");
  if (content.proportions) target.strings("uns/proportion_labels", content.proportions.labels);
}
