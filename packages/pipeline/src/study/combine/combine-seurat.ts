import { createWriteStream } from "node:fs";
import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { csvText } from "@stipple/contract/csv";
import { tableLines } from "../../exports/csv/table.ts";
import { MatrixMarketFolder } from "../../exports/seurat/matrix-market.ts";
import { writeGzipPieces } from "../../exports/write-lines.ts";
import { cellFile, type CombinedSample, type CombinedStudy } from "./combined-study.ts";
import { cellNames, columnOf, obsColumns, textsOf } from "./combine-obs.ts";
import { JOINT_CLUSTER, type JointSpace } from "./joint-space.ts";
import { mapGenes, type GeneMap } from "./map-genes.ts";
import { SampleTable } from "./sample-table.ts";
import { SHARED_SCRIPT } from "../../exports/seurat/shared-script.ts";

/** Files of a sample's Seurat folder that stay its own. */
const OWN_FILES = ["centroids.csv", "outlines.csv.gz", "tissue.png", "scalefactors.json"];

/**
 * Writes a folder with which Seurat opens all cells of a study as one object: counts, rates of the genes that are reliable in
 * every sample, the samples' design, and each sample's outlines and picture. Matrices pass through block by block.
 */
export async function combineSeurat(
  folder: string,
  study: CombinedStudy,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { samples, genes, space } = study;
  const all = Uint32Array.from(genes.ids.keys());
  const cells = samples.flatMap(cellNames);
  const counts = await openMatrix(folder, "integer", { study, genes: all, cells });
  for (const sample of samples) {
    await appendRows(counts, sample, { path: "layers/counts", map: sample.map, least: 0 }, signal);
  }
  await counts.finish();
  const reliable = all.filter((gene) => genes.reliableIn[gene] === samples.length);
  await mkdir(join(folder, "rate"), { recursive: true });
  const rates = await openMatrix(join(folder, "rate"), "real", { study, genes: reliable, cells });
  for (const sample of samples) {
    const map = onlyGenes(sample.map, reliable, genes.ids.length);
    const least = await rateThreshold(sample, map, signal);
    await appendRows(rates, sample, { path: "layers/rate", map, least }, signal);
  }
  await rates.finish();
  await writeMetadata(join(folder, "metadata.csv"), study, signal);
  if (space) await writeReductions(folder, cells, space, signal);
  for (const sample of samples) await placeOwnFiles(join(folder, "samples"), sample);
  await writeFile(join(folder, "samples.csv"), await samplesTable(study));
  await writeFile(join(folder, "read_study.R"), READ_STUDY_SCRIPT);
}

/** A row for each sample: the name of its folder, and its design. */
async function samplesTable(study: CombinedStudy): Promise<string> {
  const { design } = await obsColumns(study);
  const rows = study.samples.map(({ key, name, design: own }) => [
    ...[key, name],
    ...design.map(({ column }) => own[column] ?? ""),
  ]);
  return [...tableLines(["key", "sample", ...design.map(({ name }) => name)], rows)].join("");
}

function openMatrix(
  folder: string,
  kind: "integer" | "real",
  { study, genes, cells }: { study: CombinedStudy; genes: Uint32Array; cells: string[] },
): Promise<MatrixMarketFolder> {
  const { ids, names } = study.genes;
  const features = {
    ids: Array.from(genes, (gene) => ids[gene]),
    names: Array.from(genes, (gene) => names[gene]),
  };
  return MatrixMarketFolder.create(folder, kind, features, cells);
}

async function appendRows(
  matrix: MatrixMarketFolder,
  sample: CombinedSample,
  { path, map, least }: { path: string; map: GeneMap; least: number },
  signal: AbortSignal,
): Promise<void> {
  using table = await SampleTable.open(cellFile(sample));
  for await (const block of table.rows([path], signal)) {
    const { lengths, indices, values } = mapGenes(block, map, least);
    await matrix.append(lengths, indices, values[0]);
  }
}

/** From a sample's genes to positions among `wanted` ones. */
function onlyGenes(map: GeneMap, wanted: Uint32Array, nShared: number): GeneMap {
  const places = new Int32Array(nShared).fill(-1);
  wanted.forEach((gene, place) => (places[gene] = place));
  return map === null ? places : map.map((gene) => (gene < 0 ? -1 : places[gene]));
}

/** One line per cell, sample after sample. */
async function writeMetadata(
  path: string,
  study: CombinedStudy,
  signal: AbortSignal,
): Promise<void> {
  const { design, shared } = await obsColumns(study);
  const joint = study.space;
  const head = ["index", "sample", ...design.map(({ name }) => name), ...shared];
  if (joint) head.push(JOINT_CLUSTER);
  const pieces = async function* (): AsyncGenerator<string> {
    yield `${head.map(csvText).join()}\n`;
    for (const sample of study.samples) {
      const own = [sample.name, ...design.map(({ column }) => sample.design[column] ?? "")];
      const constant = own.map(csvText).join();
      using table = await SampleTable.open(cellFile(sample));
      const columns = shared.map((name) => {
        const column = columnOf(sample, table, name);
        const texts = textsOf(column);
        return column.kind === "numbers" ? texts : texts.map(csvText);
      });
      let lines = "";
      for (const [cell, name] of cellNames(sample).entries()) {
        const values = columns.map((texts) => texts[cell]);
        if (joint) values.push(joint.clusters[joint.cluster[sample.firstCell + cell]]?.name ?? "");
        lines += `${name},${constant},${values.join()}\n`;
        if (lines.length < 1 << 20) continue;
        yield lines;
        lines = "";
      }
      yield lines;
    }
  };
  await pipeline(Readable.from(pieces()), createWriteStream(path), { signal });
}

/** One line per cell that was placed. */
async function writeReductions(
  folder: string,
  cells: readonly string[],
  { umap, cluster }: JointSpace,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, values] of [
    ["umap", umap.corrected],
    ["umap_uncorrected", umap.uncorrected],
  ] as const) {
    const lines = function* (): Generator<string> {
      yield "cell,1,2\n";
      for (const [cell, named] of cells.entries()) {
        if (cluster[cell] < 0) continue;
        const [x, y] = values.subarray(2 * cell, 2 * cell + 2);
        yield `${named},${x.toPrecision(6)},${y.toPrecision(6)}\n`;
      }
    };
    await writeGzipPieces(join(folder, `${name}.csv.gz`), lines(), signal);
  }
}

async function placeOwnFiles(folder: string, { key, exports }: CombinedSample): Promise<void> {
  await mkdir(join(folder, key), { recursive: true });
  for (const name of OWN_FILES) {
    const [from, to] = [join(exports, "seurat", name), join(folder, key, name)];
    await link(from, to).catch(() => copyFile(from, to).catch(ignoreMissing));
  }
}

/** A sample without an image has no picture. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Rates kept of a sample: as text, each takes about five bytes, and R reads about two million per second. */
const MAX_ENTRIES = 10_000_000;
/** Bins per factor of ten, from 1e-8 to 1e8. */
const PER_TEN = 100;
const TENS = 8;

/** The rate below which a sample's rates are left out, so that about ten million remain; 0 if there are no more. */
async function rateThreshold(
  sample: CombinedSample,
  map: GeneMap,
  signal: AbortSignal,
): Promise<number> {
  const bins = new Float64Array(2 * TENS * PER_TEN);
  let entries = 0;
  using table = await SampleTable.open(cellFile(sample));
  for await (const block of table.rows(["layers/rate"], signal)) {
    const [rates] = mapGenes(block, map).values;
    entries += rates.length;
    for (const rate of rates) {
      const bin = Math.floor((Math.log10(rate) + TENS) * PER_TEN);
      bins[Math.max(0, Math.min(bins.length - 1, bin))]++;
    }
  }
  if (entries <= MAX_ENTRIES) return 0;
  let bin = bins.length;
  for (let kept = 0; bin > 0 && kept + bins[bin - 1] <= MAX_ENTRIES; bin--) kept += bins[bin - 1];
  return 10 ** (bin / PER_TEN - TENS);
}

/** read_study.R, which is stored next to the files that it reads. */
const READ_STUDY_SCRIPT = String.raw`# Reads this folder into one Seurat object with the cells of all samples (Seurat 4.1 or newer):
#   source("seurat/read_study.R"); cells <- read_study("seurat")
# Assay "Observed": measured UMIs assigned to cells; use it for tests.
# Assay "Inferred": expected counts of the genes that are reliable in every sample; use it to explore and plot.
# The sample and the columns of the design are in the metadata. Every sample is a field of view with its centers and
# outlines (ImageDimPlot(cells, fov = ...)), and an image where it has a picture (SpatialDimPlot(cells, images = ...)).
# Outlines take minutes to build for many cells and are skipped above 20,000 cells; outlines = TRUE includes them.
# Reductions "umap" (corrected) and "umapbefore" and the column joint_cluster show all samples in one space, if they were
# placed in one; cells with too few counts are NA.
read_study <- function(folder = "seurat", outlines = NULL) {
  library(Seurat)
  samples <- read.csv(file.path(folder, "samples.csv"), colClasses = "character")
  metadata <- stipple_metadata(folder, texts = names(samples))
  cells <- stipple_cells(folder, metadata)
  cells$orig.ident <- factor(cells$sample)
  if (is.null(outlines)) outlines <- ncol(cells) <= 20000
  for (key in samples$key) {
    own <- file.path(folder, "samples", key)
    # In the sample's own folder, cells are named for the sample alone.
    named <- function(file) {
      rows <- read.csv(file)
      rows$cell <- paste0(key, "_", sub("^.*_(cell_[0-9]+)$", "\\1", rows$cell))
      rows
    }
    boundaries <- list(centroids = CreateCentroids(named(file.path(own, "centroids.csv"))))
    if (outlines) {
      boundaries$outlines <- CreateSegmentation(named(file.path(own, "outlines.csv.gz")))
    }
    name <- make.names(key)
    cells[[name]] <- CreateFOV(boundaries, assay = "Observed", key = letters_key("fov", name))
    if (file.exists(file.path(own, "tissue.png"))) {
      of <- startsWith(rownames(metadata), paste0(key, "_cell_"))
      cells[[paste0("slice.", name)]] <- stipple_picture(own, metadata[of, ], letters_key("slice", name))
    }
  }
  for (name in c("umap", "umap_uncorrected")) {
    file <- file.path(folder, paste0(name, ".csv.gz"))
    if (!file.exists(file)) next
    placed <- read.csv(file, row.names = 1)
    # Seurat wants a row for every cell.
    values <- as.matrix(placed)[match(colnames(cells), rownames(placed)), ]
    rownames(values) <- colnames(cells)
    key <- c(umap = "UMAP_", umap_uncorrected = "UMAPbefore_")[[name]]
    colnames(values) <- paste0(key, 1:2)
    reduction <- c(umap = "umap", umap_uncorrected = "umapbefore")[[name]]
    cells[[reduction]] <- CreateDimReducObject(values, key = key, assay = "Observed")
  }
  if ("joint_cluster" %in% names(metadata)) cells$joint_cluster <- factor(cells$joint_cluster)
  Idents(cells) <- "cell_type"
  cells
}

# Keys of Seurat are letters and digits with an underscore at the end.
letters_key <- function(start, name) paste0(start, gsub("[^[:alnum:]]", "", name), "_")

${SHARED_SCRIPT}`;
