# Reads an exported Seurat folder with its own script and checks its contents.
# Usage: Rscript check_seurat.R seurat FOLDER-for-plots
folder <- commandArgs(TRUE)[1]
plots <- commandArgs(TRUE)[2]
source(file.path(folder, "read_stipple.R"))
cells <- suppressMessages(read_stipple(folder))
observed <- GetAssayData(cells, "counts", assay = "Observed")
stopifnot(
  all(observed@x > 0),
  all(observed@x == round(observed@x)),
  is.logical(cells$observed),
  is.logical(cells$group_Rim_left),
  sum(cells$group_Rim_left) == 3,
  sum(cells$cell_type_annotated == "Tanycyte") == 3,
  all(Matrix::colSums(observed[, !cells$observed]) == 0),
  all(cells$nCount_Observed == cells$total_counts)
)
if ("Inferred" %in% Assays(cells)) {
  inferred <- GetAssayData(cells, "counts", assay = "Inferred")
  stopifnot(
    ncol(inferred) == ncol(observed),
    all(rownames(inferred) %in% rownames(observed)),
    all(Matrix::colSums(inferred) > 0)
  )
}
if ("Protein" %in% Assays(cells)) {
  protein <- GetAssayData(cells, "data", assay = "Protein")
  stopifnot(identical(colnames(protein), colnames(cells)), all(protein >= 0, na.rm = TRUE))
}
positions <- GetTissueCoordinates(cells[["tissue"]])
stopifnot(all(positions$cell == colnames(cells)), all(positions$x == cells$x))
stopifnot(
  identical(rownames(Embeddings(cells, "umap")), colnames(cells)),
  ncol(Embeddings(cells, "umap")) == 2,
  identical(rownames(Embeddings(cells, "pca")), colnames(cells)),
  setequal(Boundaries(cells[["tissue"]]), c("centroids", "outlines"))
)
drawn <- function(name, plot) {
  file <- file.path(plots, paste0(name, ".png"))
  suppressMessages(ggplot2::ggsave(file, plot, width = 5, height = 4, dpi = 80))
  picture <- png::readPNG(file)
  stopifnot(length(unique(as.vector(picture))) > 20)
}
drawn("seurat_umap", DimPlot(cells, reduction = "umap", group.by = "cell_type"))
outlined <- ImageDimPlot(cells, fov = "tissue", boundaries = "outlines", group.by = "cell_type")
drawn("seurat_outlines", outlined)
drawn("seurat_slice", SpatialDimPlot(cells, images = "slice", group.by = "cell_type"))
# A second sample must have other names, or merging would rename cells.
prefix <- gsub("[^[:alnum:].-]+", "_", as.character(cells$orig.ident))
stopifnot(all(startsWith(colnames(cells), paste0(prefix, "_cell_"))))
cat(
  ncol(observed), " cells, ", nrow(observed), " genes, ", sum(observed), " UMIs of ",
  levels(cells$orig.ident), "\n", sep = ""
)
