/** read_study.R, which is stored next to the files that it reads. */
export const READ_STUDY_SCRIPT = String.raw`# Reads this folder into one Seurat object with the cells of all samples (Seurat 4.1 or newer):
#   source("seurat/read_study.R"); cells <- read_study("seurat")
# Assay "Observed": measured UMIs assigned to cells; use it for tests.
# Assay "Inferred": expected counts of the genes that are reliable in every sample; use it to explore and plot.
# The sample and the columns of the design are in the metadata. Every sample is a field of view with its centers and
# outlines (ImageDimPlot(cells, fov = ...)), and an image (SpatialDimPlot) where it has a picture. Outlines take minutes
# to build for many cells and are skipped above 20,000 cells; outlines = TRUE includes them.
read_study <- function(folder = "seurat", outlines = NULL) {
  library(Seurat)
  metadata <- read.csv(file.path(folder, "metadata.csv"), row.names = 1)
  for (column in names(metadata)) {
    values <- metadata[[column]]
    if (!is.character(values)) next
    if (all(values %in% c("True", "False"))) metadata[[column]] <- values == "True"
    # An apostrophe keeps spreadsheets from running text that begins with =, +, - or @ as a formula.
    else metadata[[column]] <- sub("^'('*[=+@\t\r\n-])", "\\1", values)
  }
  cells <- CreateSeuratObject(Read10X(folder), assay = "Observed", meta.data = metadata)
  cells$orig.ident <- factor(cells$sample)
  if (file.size(file.path(folder, "rate", "features.tsv.gz")) > 20) {
    cells[["Inferred"]] <- CreateAssayObject(counts = Read10X(file.path(folder, "rate")))
    cells <- NormalizeData(cells, assay = "Inferred", verbose = FALSE)
  }
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
    cells[[name]] <- CreateFOV(boundaries, assay = "Observed", key = fov_key(name))
    if (file.exists(file.path(own, "tissue.png"))) {
      of <- startsWith(rownames(metadata), paste0(key, "_cell_"))
      cells[[paste0("slice.", name)]] <- study_picture(own, metadata[of, ], name)
    }
  }
  Idents(cells) <- "cell_type"
  cells
}

# Keys of Seurat are letters and digits with an underscore at the end.
fov_key <- function(name) paste0("fov", gsub("[^[:alnum:]]", "", name), "_")

# The tissue image with the cells on it, each drawn at the size of the median cell.
study_picture <- function(folder, metadata, name) {
  picture <- png::readPNG(file.path(folder, "tissue.png"))
  factors <- jsonlite::fromJSON(file.path(folder, "scalefactors.json"))
  coordinates <- data.frame(
    tissue = 1, row = metadata$y, col = metadata$x, imagerow = metadata$y, imagecol = metadata$x,
    row.names = rownames(metadata)
  )
  new(
    "VisiumV1",
    image = picture[, , 1:3],
    scale.factors = scalefactors(
      spot = factors$spot_diameter_fullres, fiducial = factors$spot_diameter_fullres,
      hires = factors$tissue_lowres_scalef, lowres = factors$tissue_lowres_scalef
    ),
    coordinates = coordinates,
    spot.radius = factors$spot_diameter_fullres * factors$tissue_lowres_scalef / 2 / max(dim(picture)),
    assay = "Observed",
    key = paste0("slice", gsub("[^[:alnum:]]", "", name), "_")
  )
}
`;
