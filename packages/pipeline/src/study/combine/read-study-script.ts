import { SHARED_SCRIPT } from "../../exports/seurat/shared-script.ts";

/** read_study.R, which is stored next to the files that it reads. */
export const READ_STUDY_SCRIPT = String.raw`# Reads this folder into one Seurat object with the cells of all samples (Seurat 4.1 or newer):
#   source("seurat/read_study.R"); cells <- read_study("seurat")
# Assay "Observed": measured UMIs assigned to cells; use it for tests.
# Assay "Inferred": expected counts of the genes that are reliable in every sample; use it to explore and plot.
# The sample and the columns of the design are in the metadata. Every sample is a field of view with its centers and
# outlines (ImageDimPlot(cells, fov = ...)), and an image (SpatialDimPlot) where it has a picture. Outlines take minutes
# to build for many cells and are skipped above 20,000 cells; outlines = TRUE includes them.
# Reductions "umap" (corrected) and "umapbefore" and the column joint_cluster show all samples in one space, if they were
# placed in one; cells with too few counts are NA.
read_study <- function(folder = "seurat", outlines = NULL) {
  library(Seurat)
  metadata <- stipple_metadata(folder)
  cells <- stipple_cells(folder, metadata)
  cells$orig.ident <- factor(cells$sample)
  if (is.null(outlines)) outlines <- ncol(cells) <= 20000
  samples <- read.csv(file.path(folder, "samples.csv"), colClasses = "character")
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
