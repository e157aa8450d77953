# Reads an exported Seurat folder with its own script and holds it to its promises.
# Usage: Rscript check_seurat.R seurat
folder <- commandArgs(TRUE)[1]
source(file.path(folder, "read_stipple.R"))
cells <- suppressMessages(read_stipple(folder))
observed <- GetAssayData(cells, "counts", assay = "Observed")
inferred <- GetAssayData(cells, "counts", assay = "Inferred")
stopifnot(
  colnames(cells)[1] == "cell_1",
  all(observed@x > 0),
  all(observed@x == round(observed@x)),
  is.logical(cells$observed),
  all(Matrix::colSums(observed[, !cells$observed]) == 0),
  all(cells$nCount_Observed == cells$total_counts),
  ncol(inferred) == ncol(observed),
  all(rownames(inferred) %in% rownames(observed)),
  all(Matrix::colSums(inferred) > 0)
)
positions <- GetTissueCoordinates(cells[["tissue"]])
stopifnot(all(positions$cell == colnames(cells)), all(positions$x == cells$x))
cat(ncol(observed), "cells,", nrow(observed), "genes,", sum(observed), "UMIs\n")
