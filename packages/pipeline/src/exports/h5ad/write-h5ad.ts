import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix, SparseMatrix } from "../../fields.ts";
import { AnnDataFile } from "./anndata-file.ts";
import { writeRates, type RateRows, type RateSummary } from "./write-rates.ts";

export interface H5adContent {
  cellNames: readonly string[];
  geneNames: readonly string[];
  geneIds: readonly string[];
  typeOf: Int32Array;
  types: readonly { name: string; color: string; count: number }[];
  clusterOf: Int32Array;
  clusters: readonly { name: string; color: string; count: number }[];
  confidence: Float32Array;
  observed: Uint8Array;
  areaUm2: Float32Array;
  /** Barcode of each cell's spot, "" where there is none. */
  spotIds: readonly string[];
  xy: Matrix;
  umap: Matrix<Float32Array>;
  pca: Matrix<Float32Array>;
  counts: SparseMatrix;
  unassigned: Float64Array;
  heldoutPcc: Float32Array;
  reliable: Uint8Array;
  rates: RateRows;
  spatial: SpatialSlot;
  /** Small facts for uns["stipple"]. */
  facts: Record<string, string | number>;
}

/** What uns["spatial"][libraryId] holds, as scanpy and squidpy read it. */
export interface SpatialSlot {
  libraryId: string;
  images: Partial<Record<"hires" | "lowres", RgbImage>>;
  scalefactors: Record<string, number>;
}

export interface RgbImage {
  widthPx: number;
  heightPx: number;
  pixels: Uint8Array;
}

export interface H5adOptions {
  signal: AbortSignal;
  progress(fraction: number): void;
}

/** Counts written at a time. */
const ENTRIES = 1 << 22;

/**
 * Writes an .h5ad that anndata ≥ 0.8 opens. Matrices are streamed row by row: memory is that of the content plus some
 * 100 MB for any number of cells. Returns what was left out of the rates.
 */
export async function writeH5ad(
  path: string,
  content: H5adContent,
  options: H5adOptions,
): Promise<RateSummary> {
  const file = await AnnDataFile.create(path);
  try {
    writeObs(file, content);
    writeVar(file, content);
    writeObsm(file, content);
    file.group("layers");
    await writeCounts(file, content, options);
    const rates = await writeRates(file, content.rates, {
      signal: options.signal,
      progress: (fraction) => options.progress(0.15 + 0.8 * fraction),
    });
    for (const container of ["varm", "obsp", "varp"]) file.group(container);
    writeUns(file, content, rates);
    await file.finish();
    options.progress(1);
    return rates;
  } catch (error) {
    return file.abandon(error);
  }
}

function writeObs(file: AnnDataFile, content: H5adContent): void {
  const { xy } = content;
  file.dataframe("obs", content.cellNames, [
    "cell_type",
    "cluster",
    "confidence",
    "observed",
    "spot_id",
    "area_um2",
    "x",
    "y",
  ]);
  writeGroups(file, "obs/cell_type", content.typeOf, content.types);
  writeGroups(file, "obs/cluster", content.clusterOf, content.clusters);
  file.array("obs/confidence", content.confidence);
  file.booleans("obs/observed", content.observed);
  file.strings("obs/spot_id", content.spotIds);
  file.array("obs/area_um2", content.areaUm2);
  for (const [axis, name] of ["x", "y"].entries()) {
    file.array(
      `obs/${name}`,
      Float64Array.from({ length: xy.nRows }, (_, cell) => xy.data[2 * cell + axis]),
    );
  }
}

/** Only groups that have cells: plotting tools pair categories and colours by position. */
function writeGroups(
  file: AnnDataFile,
  path: string,
  groupOf: Int32Array,
  groups: readonly { name: string; count: number }[],
): void {
  const code = new Int32Array(groups.length).fill(-1);
  const present = presentGroups(groups);
  present.forEach((group, at) => (code[groups.indexOf(group)] = at));
  file.categorical(
    path,
    groupOf.map((group) => code[group] ?? -1),
    present.map((group) => group.name),
  );
}

function presentGroups<G extends { count: number }>(groups: readonly G[]): G[] {
  return groups.filter((group) => group.count > 0);
}

function writeVar(file: AnnDataFile, content: H5adContent): void {
  file.dataframe("var", content.geneNames, ["gene_ids", "unassigned", "heldout_pcc", "reliable"]);
  file.strings("var/gene_ids", content.geneIds);
  file.array("var/unassigned", BigInt64Array.from(content.unassigned, BigInt));
  file.array("var/heldout_pcc", content.heldoutPcc);
  file.booleans("var/reliable", content.reliable);
}

function writeObsm(file: AnnDataFile, { xy, umap, pca }: H5adContent): void {
  file.group("obsm");
  file.array("obsm/spatial", Float64Array.from(xy.data), [xy.nRows, 2]);
  file.array("obsm/X_umap", umap.data, [umap.nRows, umap.nCols]);
  file.array("obsm/X_pca", pca.data, [pca.nRows, pca.nCols]);
}

/** Integers as int32: sums over cells then stay exact in NumPy, which would add float32 in float32. */
async function writeCounts(
  file: AnnDataFile,
  { counts }: H5adContent,
  { signal, progress }: H5adOptions,
): Promise<void> {
  const { nRows, nCols, indptr, indices, data } = counts;
  const csr = file.csr("layers/counts", nRows, nCols, "<i");
  for (let from = 0; from < nRows;) {
    let to = from + 1;
    while (to < nRows && indptr[to + 1] - indptr[from] <= ENTRIES) to++;
    csr.append(
      Array.from({ length: to - from }, (_, i) => indptr[from + i + 1] - indptr[from + i]),
      Int32Array.from(indices.subarray(indptr[from], indptr[to])),
      Int32Array.from(data.subarray(indptr[from], indptr[to])),
    );
    from = to;
    progress((0.15 * from) / nRows);
    await setImmediate();
    throwIfCancelled(signal);
  }
  csr.finish();
}

function writeUns(file: AnnDataFile, content: H5adContent, rates: RateSummary): void {
  file.group("uns");
  file.strings(
    "uns/cell_type_colors",
    presentGroups(content.types).map((type) => type.color),
  );
  file.strings(
    "uns/cluster_colors",
    presentGroups(content.clusters).map((cluster) => cluster.color),
  );
  // Its presence tells scanpy that X is logarithmic.
  file.group("uns/log1p");
  file.group("uns/stipple");
  const facts = {
    ...content.facts,
    X: "log1p of the inferred rate, scaled to 10,000 a cell",
    rate_dropped_below: rates.droppedBelow,
    rate_dropped_fraction: rates.droppedFraction,
  };
  for (const [name, value] of Object.entries(facts)) {
    if (typeof value === "number") file.number(`uns/stipple/${name}`, value);
    else file.string(`uns/stipple/${name}`, value);
  }
  const library = `uns/spatial/${content.spatial.libraryId.replaceAll("/", "_")}`;
  for (const path of [
    "uns/spatial",
    library,
    `${library}/images`,
    `${library}/scalefactors`,
    `${library}/metadata`,
  ]) {
    file.group(path);
  }
  for (const [name, { widthPx, heightPx, pixels }] of Object.entries(content.spatial.images)) {
    file.compressedArray(`${library}/images/${name}`, pixels, [heightPx, widthPx, 3]);
  }
  for (const [name, value] of Object.entries(content.spatial.scalefactors)) {
    file.number(`${library}/scalefactors/${name}`, value);
  }
}
