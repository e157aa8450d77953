import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { throwIfCancelled } from "../../errors.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { RateSink } from "../anndata/write-rates.ts";
import { decimal, writeCellMetadata, type CellTable } from "../csv/cell-metadata.ts";
import { cellName } from "../cell-names.ts";
import { writePieces } from "../write-lines.ts";
import { MatrixMarketFolder } from "./matrix-market.ts";

export interface SeuratContent {
  cells: CellTable;
  geneIds: readonly string[];
  geneNames: readonly string[];
  reliable: Uint8Array;
  counts: SparseMatrix;
}

/** Rates kept at most: as text they cost some five bytes each, and R reads about two million a second. */
const MAX_RATE_ENTRIES = 10_000_000;
/** Counts written at a time. */
const ENTRIES = 1 << 20;

/**
 * Writes what Seurat needs to a folder: the observed counts as a feature–barcode matrix, metadata.csv, centroids.csv and
 * the script that reads them. Returns the sink for the inferred rates of reliable genes (folder rate/).
 */
export async function writeSeuratFolder(
  folder: string,
  content: SeuratContent,
  signal: AbortSignal,
): Promise<RateSink> {
  const { cells, geneIds, geneNames, reliable, counts } = content;
  await mkdir(join(folder, "rate"), { recursive: true });
  const names = Array.from({ length: cells.xy.nRows }, (_, cell) => cellName(cell));
  const observed = await MatrixMarketFolder.create(
    folder,
    "integer",
    { ids: geneIds, names: geneNames },
    names,
  );
  const { indptr, indices, data, nRows } = counts;
  for (let from = 0; from < nRows;) {
    let to = from + 1;
    while (to < nRows && indptr[to + 1] - indptr[from] <= ENTRIES) to++;
    await observed.append(
      Array.from({ length: to - from }, (_, i) => indptr[from + i + 1] - indptr[from + i]),
      indices.subarray(indptr[from], indptr[to]),
      data.subarray(indptr[from], indptr[to]),
    );
    from = to;
    throwIfCancelled(signal);
  }
  await observed.finish();
  await writeCellMetadata(join(folder, "metadata.csv"), cells, signal);
  await writePieces(join(folder, "centroids.csv"), centroids(cells), signal);
  await writeFile(join(folder, "read_stipple.R"), READ_SCRIPT);

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
    append: (lengths, columns, rates) => inferred.append(lengths, columns, rates),
    finish: () => inferred.finish(),
  };
}

function* centroids({ xy }: CellTable): Generator<string> {
  yield "x,y,cell\n";
  for (let cell = 0; cell < xy.nRows; cell++) {
    const [x, y] = [decimal(xy.data[2 * cell], 2), decimal(xy.data[2 * cell + 1], 2)];
    yield `${x},${y},${cellName(cell)}\n`;
  }
}

const READ_SCRIPT = `# Reads this folder into a Seurat object (Seurat 4.1 or newer):
#   source("seurat/read_stipple.R"); cells <- read_stipple("seurat")
# Assay "Observed": UMIs that were measured, given to cells; use it for tests.
# Assay "Inferred": expected counts of reliable genes in every cell; use it to look and to plot.
# Positions are full-resolution pixels; y grows downwards as in the image.
read_stipple <- function(folder = "seurat") {
  library(Seurat)
  metadata <- read.csv(file.path(folder, "metadata.csv"), row.names = 1)
  metadata$observed <- metadata$observed == "True"
  # An apostrophe keeps spreadsheets from running text that begins with =, +, - or @ as a formula.
  for (column in names(metadata)[vapply(metadata, is.character, TRUE)]) {
    metadata[[column]] <- sub("^'('*[=+@\\t\\r\\n-])", "\\1", metadata[[column]])
  }
  cells <- CreateSeuratObject(Read10X(folder), assay = "Observed", meta.data = metadata)
  if (file.size(file.path(folder, "rate", "features.tsv.gz")) > 20) {
    cells[["Inferred"]] <- CreateAssayObject(counts = Read10X(file.path(folder, "rate")))
    cells <- NormalizeData(cells, assay = "Inferred", verbose = FALSE)
  }
  centroids <- read.csv(file.path(folder, "centroids.csv"))
  cells[["tissue"]] <- CreateFOV(
    list(centroids = CreateCentroids(centroids)), type = "centroids", assay = "Observed"
  )
  Idents(cells) <- "cell_type"
  cells
}
`;
