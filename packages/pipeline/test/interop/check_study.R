# Reads a study's Seurat folder with its own script and checks its contents.
# Usage: Rscript check_study.R seurat FOLDER-for-plots SINGLE-seurat-folder …
arguments <- commandArgs(TRUE)
folder <- arguments[1]
plots <- arguments[2]
source(file.path(folder, "read_study.R"))
cells <- suppressMessages(read_study(folder))
observed <- GetAssayData(cells, "counts", assay = "Observed")
inferred <- GetAssayData(cells, "counts", assay = "Inferred")
samples <- read.csv(file.path(folder, "samples.csv"), colClasses = "character")
stopifnot(
  is.logical(cells$observed),
  all(Matrix::colSums(observed[, !cells$observed]) == 0),
  ncol(inferred) == ncol(observed),
  all(rownames(inferred) %in% rownames(observed)),
  identical(levels(cells$orig.ident), sort(samples$sample)),
  all(make.names(samples$key) %in% Images(cells)),
  all(paste0("slice.", make.names(samples$key)) %in% Images(cells))
)
for (i in seq_along(samples$key)) {
  source(file.path(arguments[2 + i], "read_stipple.R"))
  single <- suppressMessages(read_stipple(arguments[2 + i]))
  own <- cells$sample == samples$sample[i]
  counts <- GetAssayData(single, "counts", assay = "Observed")[rownames(observed), ]
  stopifnot(
    sum(own) == ncol(single),
    identical(sub("^.*_cell_", "", colnames(cells)[own]), sub("^.*_cell_", "", colnames(single))),
    all(counts@x == observed[, own]@x),
    all(cells$cell_type[own] == single$cell_type),
    identical(unique(cells$patient[own]), samples$patient[i]),
    max(abs(cells$x[own] - single$x)) < 0.01
  )
  rates <- GetAssayData(single, "counts", assay = "Inferred")[rownames(inferred), ]
  stopifnot(max(abs(rates - inferred[, own]) / pmax(rates, 1e-9)) < 0.01)
  positions <- GetTissueCoordinates(cells[[make.names(samples$key[i])]])
  stopifnot(all(positions$cell == colnames(cells)[own]))
}
umap <- Embeddings(cells, "umap")
before <- Embeddings(cells, "umapbefore")
placed <- !is.na(cells$joint_cluster)
stopifnot(
  sum(!placed) == nrow(samples),
  identical(unname(is.na(umap[, 1])), unname(!placed)),
  all(umap[placed, 1] == -before[placed, 1]),
  identical(levels(cells$joint_cluster), c("0", "1"))
)
suppressWarnings(ggplot2::ggsave(file.path(plots, "joint.png"), DimPlot(cells, group.by = "joint_cluster")))
fov <- make.names(samples$key[1])
file <- file.path(plots, "study.png")
plot <- ImageDimPlot(cells, fov = fov, boundaries = "outlines", group.by = "cell_type")
suppressMessages(ggplot2::ggsave(file, plot, width = 5, height = 4, dpi = 80))
stopifnot(length(unique(as.vector(png::readPNG(file)))) > 20)
plot <- SpatialDimPlot(cells, images = paste0("slice.", fov), group.by = "cell_type")
suppressMessages(ggplot2::ggsave(file, plot, width = 5, height = 4, dpi = 80))
stopifnot(length(unique(as.vector(png::readPNG(file)))) > 20)
cat(ncol(observed), " cells, ", nrow(observed), " genes, ", sum(observed), " UMIs of ", nrow(samples), " samples\n", sep = "")
