import { setImmediate } from "node:timers/promises";
import { CELL_EVIDENCE, IMAGE_QUALITIES, RATE_SOURCES } from "@stipple/contract";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { release } from "@stipple/numerics/release";
import type { AnnDataElements, UnsValue } from "./statistics-elements.ts";
import type { CellProteins } from "../../model/cell-proteins.ts";
import type { CellxgeneFields } from "./cellxgene.ts";
import { keyOf, writeUnsValue, type AnnDataTarget } from "./target.ts";
import { OUTSIDE_COLOR, type AnnotationColumns } from "../annotation-columns.ts";
import { REGION_COLUMN, type RegionColumns } from "../region-columns.ts";
import { RATE_PRECISION } from "./rate-block.ts";
import type { RateSummary } from "./write-rates.ts";

export interface Group {
  name: string;
  color: string;
  count: number;
}

/** Everything in an AnnData object except the rates (see write-rates.ts) and pictures. */
export interface AnnDataContent {
  cellNames: readonly string[];
  /** Numbers of the cells in the outline files, from 1. */
  cellIds: Int32Array;
  geneNames: readonly string[];
  geneIds: readonly string[];
  geneSymbols: readonly string[];
  typeOf: Int32Array;
  types: readonly Group[];
  clusterOf: Int32Array;
  clusters: readonly Group[];
  confidence: Float32Array;
  typeMargin: Float32Array;
  observed: Uint8Array;
  /** Index into CELL_EVIDENCE. */
  evidence: Uint8Array;
  /** Index into IMAGE_QUALITIES. */
  imageQuality: Uint8Array;
  rateCv: Float32Array;
  areaUm2: Float32Array;
  /** Observed UMIs of each cell. */
  totalCounts: Float64Array;
  /** Barcode of each cell's spot, "" if there is none. */
  spotIds: readonly string[];
  xy: Matrix;
  umap: Matrix<Float32Array>;
  pca: Matrix<Float32Array>;
  /**
   * The model's factors: nCells × k and k × nGenes. Their product is the rate before it is updated with the spots'
   * counts.
   */
  membership: Matrix<Float32Array>;
  profile: Matrix<Float32Array>;
  counts: SparseMatrix;
  /** Sums over the spots, and the part that reached no cell. */
  geneTotals: Float64Array;
  unassigned: Float64Array;
  heldoutPcc: Float32Array;
  reliable: Uint8Array;
  /** Index into RATE_SOURCES. */
  rateSource: Uint8Array;
  /** nGenes × 3: expected correlation of the rate over single cells, and its 80 % interval. */
  cellPcc: Matrix<Float32Array>;
  geneRateCv: Float32Array;
  statistics: AnnDataElements;
  /** Fields of the CELLxGENE schema, as far as they are known. */
  cellxgene: CellxgeneFields;
  /** Null if no antibodies were counted. */
  proteins: CellProteins | null;
  /** Null if the user gave no regions. */
  regions: RegionColumns | null;
  /** Null if the user gave no annotations. */
  annotations: AnnotationColumns | null;
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
  writeObs(target, content, options.region);
  writeVar(target, content);
  writeMany(target, content);
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
  const colored: [string, readonly Group[]][] = [
    ["cell_type", content.types],
    ["cluster", content.clusters],
  ];
  for (const [name, groups] of colored) {
    target.strings(
      `uns/${name}_colors`,
      presentGroups(groups).map(({ color }) => color),
    );
  }
  for (const { name, colors } of content.statistics.obs) {
    target.strings(`uns/${keyOf(name)}_colors`, colors);
  }
  if (content.regions) target.strings(`uns/${REGION_COLUMN}_colors`, content.regions.colors);
  for (const { column, colors } of content.annotations?.categories ?? []) {
    target.strings(`uns/${column}_colors`, colors);
  }
  // Colors of False and True.
  for (const { column, color } of content.annotations?.groups ?? []) {
    target.strings(`uns/${column}_colors`, [OUTSIDE_COLOR, color]);
  }
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

function writeObs(
  target: AnnDataTarget,
  content: AnnDataContent,
  region: { key: string; name: string } | undefined,
): void {
  const { xy, statistics, cellxgene, regions, annotations } = content;
  target.dataframe("obs", content.cellNames, [
    "cell_type",
    "cluster",
    "confidence",
    "type_margin",
    "observed",
    "evidence",
    "image_quality",
    "total_counts",
    "rate_cv",
    "spot_id",
    "area",
    "area_um2",
    "x",
    "y",
    "cell_id",
    ...statistics.obs.map(({ name }) => keyOf(name)),
    ...(regions ? [REGION_COLUMN, ...regions.distances.map(({ column }) => column)] : []),
    ...(annotations?.categories ?? []).map(({ column }) => column),
    ...(annotations?.groups ?? []).map(({ column }) => column),
    ...cellxgene.obs.map(({ name }) => name),
    "is_primary_data",
    ...(region ? [region.key] : []),
  ]);
  writeGroups(target, "obs/cell_type", content.typeOf, content.types);
  writeGroups(target, "obs/cluster", content.clusterOf, content.clusters);
  target.array("obs/confidence", content.confidence);
  target.array("obs/type_margin", content.typeMargin);
  target.booleans("obs/observed", content.observed);
  target.categorical("obs/evidence", Int32Array.from(content.evidence), CELL_EVIDENCE);
  target.categorical("obs/image_quality", Int32Array.from(content.imageQuality), IMAGE_QUALITIES);
  target.array("obs/total_counts", Int32Array.from(content.totalCounts));
  target.array("obs/rate_cv", content.rateCv);
  target.strings("obs/spot_id", content.spotIds);
  target.array("obs/area", content.areaUm2);
  target.array("obs/area_um2", content.areaUm2);
  for (const [axis, name] of ["x", "y"].entries()) {
    target.array(
      `obs/${name}`,
      Float64Array.from({ length: xy.nRows }, (_, cell) => xy.data[2 * cell + axis]),
    );
  }
  target.array("obs/cell_id", content.cellIds);
  for (const { name, codes, categories } of statistics.obs) {
    target.categorical(`obs/${keyOf(name)}`, codes, categories);
  }
  if (regions) {
    target.categorical(`obs/${REGION_COLUMN}`, regions.regionOf, regions.names);
    for (const { column, um } of regions.distances) target.array(`obs/${column}`, um);
  }
  for (const { column, codes, names } of annotations?.categories ?? []) {
    target.categorical(`obs/${column}`, codes, names);
  }
  for (const { column, cells } of annotations?.groups ?? []) {
    target.booleans(`obs/${column}`, cells);
  }
  for (const { name, codes, categories } of cellxgene.obs) {
    target.categorical(`obs/${name}`, codes, categories);
  }
  // The spots are what was measured; the allocation to cells is a secondary view of it.
  target.booleans("obs/is_primary_data", new Uint8Array(xy.nRows));
  if (region) target.categorical(`obs/${region.key}`, new Int32Array(xy.nRows), [region.name]);
}

/** Only groups with cells: plotting tools pair categories and colors by position. */
function writeGroups(
  target: AnnDataTarget,
  path: string,
  groupOf: Int32Array,
  groups: readonly Group[],
): void {
  const code = new Int32Array(groups.length).fill(-1);
  const present = presentGroups(groups);
  present.forEach((group, at) => (code[groups.indexOf(group)] = at));
  target.categorical(
    path,
    groupOf.map((group) => code[group] ?? -1),
    present.map((group) => group.name),
  );
}

function presentGroups(groups: readonly Group[]): Group[] {
  return groups.filter((group) => group.count > 0);
}

function writeVar(target: AnnDataTarget, content: AnnDataContent): void {
  target.dataframe("var", content.geneNames, [
    "gene_ids",
    "symbol",
    "total_counts",
    "unassigned",
    "heldout_pcc",
    "reliable",
    "rate_source",
    "rate_cv",
    "cell_pcc",
    "cell_pcc_low",
    "cell_pcc_high",
  ]);
  target.strings("var/gene_ids", content.geneIds);
  target.strings("var/symbol", content.geneSymbols);
  target.array("var/total_counts", BigInt64Array.from(content.geneTotals, BigInt));
  target.array("var/unassigned", BigInt64Array.from(content.unassigned, BigInt));
  target.array("var/heldout_pcc", content.heldoutPcc);
  target.booleans("var/reliable", content.reliable);
  target.categorical("var/rate_source", Int32Array.from(content.rateSource), RATE_SOURCES);
  target.array("var/rate_cv", content.geneRateCv);
  for (const [i, name] of ["cell_pcc", "cell_pcc_low", "cell_pcc_high"].entries()) {
    const { data, nRows, nCols } = content.cellPcc;
    const column = Float32Array.from({ length: nRows }, (_, gene) => data[nCols * gene + i]);
    target.array(`var/${name}`, column);
  }
}

function writeMany(target: AnnDataTarget, content: AnnDataContent): void {
  const { xy, umap, pca, statistics, geneNames } = content;
  target.group("obsm");
  target.array("obsm/spatial", Float64Array.from(xy.data), [xy.nRows, 2]);
  target.array("obsm/X_umap", umap.data, [umap.nRows, umap.nCols]);
  target.array("obsm/X_pca", pca.data, [pca.nRows, pca.nCols]);
  const { membership, profile, proteins } = content;
  if (proteins) {
    target.dataframe("obsm/protein", content.cellNames, proteins.names.map(keyOf));
    for (const [protein, name] of proteins.names.entries()) {
      target.array(`obsm/protein/${keyOf(name)}`, proteins.column(protein));
    }
  }
  target.array("obsm/prototypes", membership.data, [membership.nRows, membership.nCols]);
  target.group("varm");
  target.array("varm/prototypes", transposed(profile), [profile.nCols, profile.nRows]);
  for (const [name, { columns, matrix }] of Object.entries(statistics.varm)) {
    const path = `varm/${keyOf(name)}`;
    target.dataframe(path, geneNames, columns.map(keyOf));
    for (const [column, label] of columns.entries()) {
      target.array(
        `${path}/${keyOf(label)}`,
        Float32Array.from(
          { length: matrix.nRows },
          (_, gene) => matrix.data[gene * matrix.nCols + column],
        ),
      );
    }
  }
}

function transposed({ nRows, nCols, data }: Matrix<Float32Array>): Float32Array {
  const out = new Float32Array(data.length);
  for (let i = 0; i < nRows; i++) {
    for (let j = 0; j < nCols; j++) out[j * nRows + i] = data[i * nCols + j];
  }
  return out;
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
  for (let from = 0; from < nRows;) {
    let to = from + 1;
    while (to < nRows && indptr[to + 1] - indptr[from] <= ENTRIES) to++;
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
    from = to;
    progress?.(from / nRows);
    await setImmediate();
    throwIfCancelled(signal);
  }
  release(scratch);
  await csr.finish();
}
