import { transposeDense } from "@stipple/numerics/dense";
import { CELL_EVIDENCE, IMAGE_QUALITIES, RATE_SOURCES } from "@stipple/contract";
import { pause } from "../../engine/pause.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { rangesWithin } from "@stipple/numerics/ranges";
import { release } from "@stipple/numerics/release";
import type { AnnDataElements, UnsValue } from "./statistics-elements.ts";
import type { CellProteins } from "../../model/cell-proteins.ts";
import type { CellxgeneFields } from "./cellxgene.ts";
import { cellName } from "../cell-names.ts";
import type { CellTable } from "../csv/cell-metadata.ts";
import type { GeneTable } from "../csv/gene-reliability.ts";
import {
  keyOf,
  keysOf,
  writeFrame,
  writeUnsValue,
  type AnnDataTarget,
  type FrameColumn,
} from "./target.ts";
import { OUTSIDE_COLOR } from "../annotation-columns.ts";
import { REGION_COLUMN, type RegionColumns } from "../region-columns.ts";
import { RATE_PRECISION } from "./rate-block.ts";
import type { RateSummary } from "./write-rates.ts";

interface Group {
  name: string;
  color: string;
}

/** Everything in an AnnData object except the rates (see write-rates.ts) and pictures. */
export interface AnnDataContent {
  cells: CellTable;
  genes: GeneTable;
  types: readonly Group[];
  clusters: readonly Group[];
  umap: Matrix<Float32Array>;
  pca: Matrix<Float32Array>;
  /**
   * The model's factors: nCells × k and k × nGenes. Their product is the rate before it is updated with the spots'
   * counts.
   */
  membership: Matrix<Float32Array>;
  profile: Matrix<Float32Array>;
  counts: SparseMatrix;
  statistics: AnnDataElements;
  /** Fields of the CELLxGENE schema, as far as they are known. */
  cellxgene: CellxgeneFields;
  /** Null if no antibodies were counted. */
  proteins: CellProteins | null;
  /** Small facts for uns["stipple"]. */
  facts: Record<string, UnsValue>;
}

/** Counts read at a time. */
const ENTRIES = 1 << 22;

/**
 * Writes obs, var, obsm, obsp, varm and layers/counts. Matrices are streamed row by row: memory is that of the content
 * plus about 50 MB for any number of cells. `region` adds what links a table to the shapes of a SpatialData object.
 */
export async function writeTables(
  target: AnnDataTarget,
  content: AnnDataContent,
  options: {
    signal: AbortSignal;
    region?: { key: string; name: string };
    progress?: (fraction: number) => void;
  },
): Promise<void> {
  const names = Array.from({ length: content.counts.nRows }, (_, cell) => cellName(cell));
  writeFrame(target, "obs", names, obsOf(content, options.region));
  writeFrame(target, "var", content.genes.names, varOf(content.genes));
  writeMany(target, content, names);
  target.group("layers");
  await writeCsr(target, "layers/counts", content.counts, "<i", options);
  target.group("obsp");
  for (const [name, matrix] of Object.entries(content.statistics.obsp)) {
    await writeCsr(target, `obsp/${keyOf(name)}`, matrix, "<f", { signal: options.signal });
  }
  target.group("varp");
}

/** Writes uns, except what the caller adds. */
export function writeUns(target: AnnDataTarget, content: AnnDataContent, rates: RateSummary): void {
  target.group("uns");
  const { regions, annotations } = content.cells;
  const colored: (readonly [column: string, colors: readonly string[]])[] = [
    ["cell_type", content.types.map(({ color }) => color)],
    ["cluster", content.clusters.map(({ color }) => color)],
    ...content.statistics.obs.map(({ name, colors }) => [keyOf(name), colors] as const),
    ...(regions ? [[REGION_COLUMN, regions.colors] as const] : []),
    ...(annotations?.categories ?? []).map(({ column, colors }) => [column, colors] as const),
    // Of False and True.
    ...(annotations?.groups ?? []).map(
      ({ column, color }) => [column, [OUTSIDE_COLOR, color]] as const,
    ),
  ];
  for (const [column, colors] of colored) target.strings(`uns/${column}_colors`, colors);
  // Tells scanpy that X is logarithmic; scanpy 1.9 fails if "base" is missing.
  target.group("uns/log1p");
  target.number("uns/log1p/base", Math.E);
  target.group("uns/stipple");
  const facts = {
    ...content.facts,
    X: "log1p of the inferred rate, scaled to 10,000 per cell",
    prototypes:
      "obsm @ varm.T is the model's rate of each gene in each cell, before adjustment to the counts of nearby spots",
    ...(content.proteins && {
      protein:
        "obsm['protein'] is the centered log ratio of antibody counts, interpolated from the spots around each cell",
    }),
    rate_rounded_to: RATE_PRECISION,
    rate_dropped_below: rates.droppedBelow,
    rate_dropped_fraction: rates.droppedFraction,
  };
  for (const [name, value] of Object.entries(facts)) {
    writeUnsValue(target, `uns/stipple/${name}`, value);
  }
  for (const [name, value] of Object.entries(content.cellxgene.uns)) {
    target.string(`uns/${name}`, value);
  }
  for (const [name, value] of Object.entries(content.statistics.uns)) {
    writeUnsValue(target, `uns/${keyOf(name)}`, value);
  }
}

function obsOf(
  { cells, types, clusters, statistics, cellxgene }: AnnDataContent,
  region: { key: string; name: string } | undefined,
): [string, FrameColumn][] {
  const { xy, regions, annotations, barcodes } = cells;
  const along = (axis: number): Float64Array =>
    Float64Array.from({ length: xy.nRows }, (_, cell) => xy.data[2 * cell + axis]);
  return [
    ["cell_type", groupColumn(cells.typeOf, types)],
    ["cluster", groupColumn(cells.clusterOf, clusters)],
    ["confidence", cells.confidence],
    ["type_margin", cells.typeMargin],
    ["observed", { flags: cells.observed }],
    ["evidence", { codes: Int32Array.from(cells.evidence), categories: CELL_EVIDENCE }],
    ["image_quality", { codes: Int32Array.from(cells.imageQuality), categories: IMAGE_QUALITIES }],
    ["total_counts", Int32Array.from(cells.totalCounts)],
    ["rate_cv", cells.rateCv],
    ["spot_id", Array.from(cells.spotOf, (spot) => barcodes[spot] ?? "")],
    ["area", cells.areaUm2],
    ["area_um2", cells.areaUm2],
    ["x", along(0)],
    ["y", along(1)],
    // Numbers of the cells in the outline files.
    ["cell_id", Int32Array.from({ length: xy.nRows }, (_, cell) => cell + 1)],
    ...statistics.obs.map((column) => [keyOf(column.name), column] as [string, FrameColumn]),
    ...(regions ? regionFrame(regions) : []),
    ...(annotations?.categories ?? []).map(
      ({ column, codes, names }) => [column, { codes, categories: names }] as [string, FrameColumn],
    ),
    ...(annotations?.groups ?? []).map(
      ({ column, cells: flags }) => [column, { flags }] as [string, FrameColumn],
    ),
    ...cellxgene.obs.map((column) => [column.name, column] as [string, FrameColumn]),
    // The spots are what was measured; the allocation to cells is a secondary view of it.
    ["is_primary_data", { flags: new Uint8Array(xy.nRows) }],
    ...(region
      ? [
          [region.key, { codes: new Int32Array(xy.nRows), categories: [region.name] }] as [
            string,
            FrameColumn,
          ],
        ]
      : []),
  ];
}

function regionFrame({ regionOf, names, distances }: RegionColumns): [string, FrameColumn][] {
  return [
    [REGION_COLUMN, { codes: regionOf, categories: names }],
    ...distances.map(({ column, um }) => [column, um] as [string, FrameColumn]),
  ];
}

function groupColumn(codes: Int32Array, groups: readonly Group[]): FrameColumn {
  return { codes, categories: groups.map(({ name }) => name) };
}

function varOf(genes: GeneTable): [string, FrameColumn][] {
  const { data, nRows, nCols } = genes.cellPcc;
  const pcc = (at: number): Float32Array =>
    Float32Array.from({ length: nRows }, (_, gene) => data[nCols * gene + at]);
  return [
    ["gene_ids", genes.ids],
    ["symbol", genes.symbols],
    ["total_counts", BigInt64Array.from(genes.observed, BigInt)],
    ["unassigned", BigInt64Array.from(genes.unassigned, BigInt)],
    ["heldout_pcc", genes.heldoutPcc],
    ["reliable", { flags: genes.reliable }],
    ["rate_source", { codes: Int32Array.from(genes.rateSource), categories: RATE_SOURCES }],
    ["rate_cv", genes.rateCv],
    ["cell_pcc", pcc(0)],
    ["cell_pcc_low", pcc(1)],
    ["cell_pcc_high", pcc(2)],
  ];
}

function writeMany(target: AnnDataTarget, content: AnnDataContent, cellNames: string[]): void {
  const { umap, pca, statistics, membership, profile, proteins } = content;
  const { xy } = content.cells;
  target.group("obsm");
  target.array("obsm/spatial", Float64Array.from(xy.data), [xy.nRows, 2]);
  target.array("obsm/X_umap", umap.data, [umap.nRows, umap.nCols]);
  target.array("obsm/X_pca", pca.data, [pca.nRows, pca.nCols]);
  if (proteins) {
    const keys = keysOf(proteins.names);
    target.dataframe("obsm/protein", cellNames, keys);
    for (const [protein, key] of keys.entries()) {
      target.array(`obsm/protein/${key}`, proteins.column(protein));
    }
  }
  target.array("obsm/prototypes", membership.data, [membership.nRows, membership.nCols]);
  target.group("varm");
  const { nRows: k, nCols: nGenes } = profile;
  target.array("varm/prototypes", transposeDense(profile.data, k, nGenes), [nGenes, k]);
  for (const [name, { columns, matrix }] of Object.entries(statistics.varm)) {
    const { nRows, nCols, data } = matrix;
    const frame = keysOf(columns).map((key, column) => {
      const values = Float32Array.from({ length: nRows }, (_, gene) => data[gene * nCols + column]);
      return [key, values] as const;
    });
    writeFrame(target, `varm/${keyOf(name)}`, content.genes.names, frame);
  }
}

/** Counts are stored as int32: sums over cells then stay exact in NumPy, which would add float32 in float32. */
export async function writeCsr(
  target: AnnDataTarget,
  path: string,
  matrix: SparseMatrix,
  values: "<i" | "<f",
  { signal, progress }: { signal: AbortSignal; progress?: (fraction: number) => void },
): Promise<void> {
  const { nRows, nCols, indptr, indices, data } = matrix;
  const csr = target.csr(path, nRows, nCols, values);
  let scratch = new Int32Array(0);
  for (const { from, to } of rangesWithin(indptr, ENTRIES)) {
    const [first, end] = [indptr[from], indptr[to]];
    const lengths = Uint32Array.from(
      { length: to - from },
      (_, i) => indptr[from + i + 1] - indptr[from + i],
    );
    // Read as signed, since no column reaches 2³¹: nothing is copied.
    const columns = new Int32Array(indices.buffer, indices.byteOffset + 4 * first, end - first);
    let entries: Int32Array | Float32Array = data.subarray(first, end);
    if (values === "<i") {
      if (scratch.length < end - first) scratch = new Int32Array(Math.max(ENTRIES, end - first));
      scratch.set(entries);
      entries = scratch.subarray(0, end - first);
    }
    await csr.append(lengths, columns, entries);
    progress?.(to / nRows);
    await pause(signal);
  }
  release(scratch);
  await csr.finish();
}
