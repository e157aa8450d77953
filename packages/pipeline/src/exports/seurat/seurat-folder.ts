import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { rangesWithin } from "@stipple/numerics/ranges";
import type { RateSink } from "../anndata/write-rates.ts";
import { writeCellMetadata, type CellTable } from "../csv/cell-metadata.ts";
import { decimal } from "../csv/table.ts";
import { cellName } from "../cell-names.ts";
import { cellRing, type Outlines } from "../rings.ts";
import type { RgbImage } from "../h5ad/spatial-slot.ts";
import { writeGzipPieces, writePieces } from "../write-lines.ts";
import { MatrixMarketFolder } from "./matrix-market.ts";
import { SHARED_SCRIPT } from "./shared-script.ts";

export interface SeuratContent {
  /** Sample name: a prefix of the cell names, so that samples can be merged. */
  sample: string;
  cells: CellTable;
  geneIds: readonly string[];
  geneNames: readonly string[];
  reliable: Uint8Array;
  counts: SparseMatrix;
  umap: Matrix<Float32Array>;
  pca: Matrix<Float32Array>;
  /** Simplified, because Seurat stores each as a separate object. */
  outlines: Outlines;
  /** The small tissue image and Space Ranger's scale factors; null if the sample has none. */
  picture: { image: RgbImage; scalefactors: Record<string, number> } | null;
}

/** Maximum number of rates kept: as text, each takes about five bytes, and R reads about two million per second. */
const MAX_RATE_ENTRIES = 10_000_000;
/** Counts written at a time. */
const ENTRIES = 1 << 20;

/**
 * Writes a folder with what Seurat needs: the observed counts as a feature–barcode matrix, metadata, positions,
 * outlines, UMAP, PCA, the tissue image, and the script that reads them. `seuratRates` writes the folder rate/.
 */
export async function writeSeuratFolder(
  folder: string,
  content: SeuratContent,
  signal: AbortSignal,
): Promise<void> {
  const { cells, geneIds, geneNames, counts } = content;
  await mkdir(folder, { recursive: true });
  const nameOf = seuratNames(content.sample);
  const names = Array.from({ length: cells.xy.nRows }, (_, cell) => nameOf(cell));
  const observed = await MatrixMarketFolder.create(
    folder,
    "integer",
    { ids: geneIds, names: geneNames },
    names,
  );
  const { indptr, indices, data } = counts;
  for (const { from, to } of rangesWithin(indptr, ENTRIES)) {
    await observed.append(
      Array.from({ length: to - from }, (_, i) => indptr[from + i + 1] - indptr[from + i]),
      indices.subarray(indptr[from], indptr[to]),
      data.subarray(indptr[from], indptr[to]),
    );
    throwIfCancelled(signal);
  }
  await observed.finish();
  await writeCellMetadata(join(folder, "metadata.csv"), cells, signal, nameOf);
  await writePieces(join(folder, "centroids.csv"), centroids(cells, names), signal);
  await writeGzipPieces(join(folder, "outlines.csv.gz"), outlines(content.outlines, names), signal);
  for (const [name, { nCols, data }] of [
    ["umap", content.umap],
    ["pca", content.pca],
  ] as const) {
    await writeGzipPieces(join(folder, `${name}.csv.gz`), rows(names, nCols, data), signal);
  }
  await writeFile(join(folder, "sample.txt"), `${content.sample}\n`);
  if (content.picture) {
    const { image, scalefactors } = content.picture;
    await sharp(image.pixels, {
      raw: { width: image.widthPx, height: image.heightPx, channels: 3 },
    })
      .png()
      .toFile(join(folder, "tissue.png"));
    await writeFile(
      join(folder, "scalefactors.json"),
      `${JSON.stringify(scalefactors, null, 2)}\n`,
    );
  }
  await writeFile(join(folder, "read_stipple.R"), READ_SCRIPT);
}

/** The content needed to write the rates. */
export type SeuratRates = Pick<SeuratContent, "sample" | "geneIds" | "geneNames" | "reliable">;

/** The sink for the inferred rates of reliable genes: rate/ in the folder for Seurat. */
export async function seuratRates(
  folder: string,
  { sample, geneIds, geneNames, reliable }: SeuratRates,
  nCells: number,
): Promise<RateSink> {
  await mkdir(join(folder, "rate"), { recursive: true });
  const nameOf = seuratNames(sample);
  const names = Array.from({ length: nCells }, (_, cell) => nameOf(cell));
  const genes = Uint32Array.from(reliable.keys()).filter((gene) => reliable[gene] === 1);
  const inferred = await MatrixMarketFolder.create(
    join(folder, "rate"),
    "real",
    {
      ids: Array.from(genes, (gene) => geneIds[gene]),
      names: Array.from(genes, (gene) => geneNames[gene]),
    },
    names,
  );
  return {
    maxEntries: MAX_RATE_ENTRIES,
    genes,
    ratesOnly: true,
    append: (lengths, columns, rates) => inferred.append(lengths, columns, rates),
    finish: () => inferred.finish(),
  };
}

/** Cell names prefixed with the sample name, without characters that would split a line of a table or begin a formula. */
export function seuratNames(sample: string): (cell: number) => string {
  const prefix = sample.replaceAll(/^-+|[^\p{L}\p{N}.-]+/gu, "_");
  return (cell) => `${prefix}_${cellName(cell)}`;
}

function* centroids({ xy }: CellTable, names: readonly string[]): Generator<string> {
  yield "x,y,cell\n";
  for (let cell = 0; cell < xy.nRows; cell++) {
    const [x, y] = [decimal(xy.data[2 * cell], 2), decimal(xy.data[2 * cell + 1], 2)];
    yield `${x},${y},${names[cell]}\n`;
  }
}

/** One line per corner; the last corner connects to the first. */
function* outlines(cells: Outlines, names: readonly string[]): Generator<string> {
  yield "x,y,cell\n";
  for (let cell = 0; cell < cells.xy.nRows; cell++) {
    const ring = cellRing(cells, cell);
    let lines = "";
    for (let p = 0; p < ring.length; p += 2) {
      lines += `${decimal(ring[p], 1)},${decimal(ring[p + 1], 1)},${names[cell]}\n`;
    }
    yield lines;
  }
}

function* rows(names: readonly string[], nCols: number, data: Float32Array): Generator<string> {
  yield `cell,${Array.from({ length: nCols }, (_, column) => column + 1).join()}\n`;
  for (const [cell, name] of names.entries()) {
    const values = Array.from(data.subarray(cell * nCols, (cell + 1) * nCols), (value) =>
      Number(value.toPrecision(5)),
    );
    yield `${name},${values.join()}\n`;
  }
}

/** read_stipple.R, which is stored next to the files that it reads. */
const READ_SCRIPT = String.raw`# Reads this folder into a Seurat object (Seurat 4.1 or newer):
#   source("seurat/read_stipple.R"); cells <- read_stipple("seurat")
# Assay "Observed": measured UMIs assigned to cells; use it for tests.
# Assay "Inferred": expected counts of reliable genes in every cell; use it to explore and plot.
# Cell names and orig.ident contain the sample's name, so objects of several samples can be merged.
# Assay "Protein", if antibodies were counted: their centered log ratio, interpolated from the spots around each cell.
# Positions are full-resolution pixels; y increases downward, as in the image.
# SpatialDimPlot(cells, images = "slice") shows the tissue behind the cells; ImageDimPlot(cells, fov = "tissue") draws
# centers, or outlines (boundaries = "outlines"). Outlines take minutes to build for many cells and are skipped above
# 20,000 cells; outlines = TRUE includes them.
read_stipple <- function(folder = "seurat", outlines = NULL) {
  library(Seurat)
  metadata <- stipple_metadata(folder)
  cells <- stipple_cells(folder, metadata)
  cells$orig.ident <- factor(readLines(file.path(folder, "sample.txt"), encoding = "UTF-8")[1])
  if (file.exists(file.path(folder, "protein.csv.gz"))) {
    values <- read.csv(file.path(folder, "protein.csv.gz"), row.names = 1, check.names = FALSE)
    cells[["Protein"]] <- CreateAssayObject(data = t(as.matrix(values)))
  }
  for (name in c("umap", "pca")) {
    values <- as.matrix(read.csv(file.path(folder, paste0(name, ".csv.gz")), row.names = 1))
    key <- c(umap = "UMAP_", pca = "PC_")[[name]]
    colnames(values) <- paste0(key, seq_len(ncol(values)))
    cells[[name]] <- CreateDimReducObject(values, key = key, assay = "Observed")
  }
  boundaries <- list(
    centroids = CreateCentroids(read.csv(file.path(folder, "centroids.csv")))
  )
  if (is.null(outlines)) outlines <- ncol(cells) <= 20000
  if (outlines) {
    corners <- read.csv(file.path(folder, "outlines.csv.gz"))
    boundaries$outlines <- CreateSegmentation(corners)
  }
  cells[["tissue"]] <- CreateFOV(boundaries, assay = "Observed")
  if (file.exists(file.path(folder, "tissue.png"))) {
    cells[["slice"]] <- stipple_picture(folder, metadata)
  }
  Idents(cells) <- "cell_type"
  cells
}

${SHARED_SCRIPT}`;
