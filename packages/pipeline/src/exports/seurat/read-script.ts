import { SHARED_SCRIPT } from "./shared-script.ts";

/** read_stipple.R, which is stored next to the files that it reads. */
export const READ_SCRIPT = String.raw`# Reads this folder into a Seurat object (Seurat 4.1 or newer):
#   source("seurat/read_stipple.R"); cells <- read_stipple("seurat")
# Assay "Observed": measured UMIs assigned to cells; use it for tests.
# Assay "Inferred": expected counts of reliable genes in every cell; use it to explore and plot.
# Cell names and orig.ident contain the sample's name, so objects of several samples can be merged.
# Assay "Protein", if antibodies were counted: their centered log ratio, interpolated from the spots around each cell.
# Positions are full-resolution pixels; y increases downward, as in the image.
# Image "slice" shows the tissue behind the cells (SpatialDimPlot); field of view "tissue" has centers and outlines
# (ImageDimPlot). Outlines take minutes to build for many cells
# and are skipped above 20,000 cells; outlines = TRUE includes them.
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
