import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { AnnDataTarget } from "../anndata/target.ts";
import { writeCsr } from "../anndata/write-anndata.ts";

/** Measurements by spot or by bin. */
export interface SpotContent {
  barcodes: readonly string[];
  xy: Matrix;
  /** Alternating array_row and array_col. */
  array: Int32Array;
  inTissue: Uint8Array;
  cluster: Int32Array;
  totalCounts: Float64Array;
  counts: SparseMatrix;
  geneNames: readonly string[];
  geneIds: readonly string[];
  geneSymbols: readonly string[];
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
  const { barcodes, xy, array, region } = { ...content, ...options };
  const column = (at: 0 | 1): Int32Array =>
    Int32Array.from({ length: barcodes.length }, (_, spot) => array[2 * spot + at]);
  target.dataframe("obs", barcodes, [
    "barcode",
    "in_tissue",
    "array_row",
    "array_col",
    "cluster",
    "total_counts",
    region.key,
  ]);
  target.strings("obs/barcode", barcodes);
  target.array("obs/in_tissue", Int32Array.from(content.inTissue));
  target.array("obs/array_row", column(0));
  target.array("obs/array_col", column(1));
  const clusters = content.cluster.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
  target.categorical(
    "obs/cluster",
    content.cluster,
    Array.from({ length: clusters }, (_, cluster) => String(cluster)),
  );
  target.array("obs/total_counts", Int32Array.from(content.totalCounts));
  target.categorical(`obs/${region.key}`, new Int32Array(barcodes.length), [region.name]);
  target.dataframe("var", content.geneNames, ["gene_ids", "symbol"]);
  target.strings("var/gene_ids", content.geneIds);
  target.strings("var/symbol", content.geneSymbols);
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
