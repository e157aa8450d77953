/** R functions of read_stipple.R and read_study.R. */
export const SHARED_SCRIPT = String.raw`# Metadata of the cells, by name; the columns in texts stay as they are written: patient 001 is not 1.
stipple_metadata <- function(folder, texts = "sample") {
  path <- file.path(folder, "metadata.csv")
  texts <- intersect(texts, names(read.csv(path, nrows = 1, row.names = 1)))
  classes <- setNames(rep("character", length(texts)), texts)
  metadata <- read.csv(path, row.names = 1, colClasses = if (length(texts) > 0) classes else NA)
  for (column in names(metadata)) {
    values <- metadata[[column]]
    if (all(values %in% c("True", "False"))) metadata[[column]] <- values == "True"
    # An apostrophe keeps spreadsheets from running text that begins with =, +, - or @ as a formula.
    else if (is.character(values)) metadata[[column]] <- sub("^'('*[=+@\t\r\n-])", "\\1", values)
  }
  metadata
}

# Observed counts and, where genes are reliable, inferred rates.
stipple_cells <- function(folder, metadata) {
  cells <- CreateSeuratObject(Read10X(folder), assay = "Observed", meta.data = metadata)
  if (file.size(file.path(folder, "rate", "features.tsv.gz")) > 20) {
    cells[["Inferred"]] <- CreateAssayObject(counts = Read10X(file.path(folder, "rate")))
    cells <- NormalizeData(cells, assay = "Inferred", verbose = FALSE)
  }
  cells
}

# The tissue image with the cells on it, each drawn at the size of the median cell.
stipple_picture <- function(folder, metadata, key = "slice_") {
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
    key = key
  )
}
`;
