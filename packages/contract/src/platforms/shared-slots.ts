import { OWN_FILES } from "./own-files.ts";
import { SMALL_IMAGE_BYTES, type UploadSlot } from "./upload-slot.ts";

/** Additive and never needed, on every platform: without it, cells are typed by marker genes. */
export const REFERENCE_SLOT = {
  id: "reference",
  group: "reference",
  label: "Labeled cells (optional)",
  fileName: "reference.h5ad",
  extensions: [".h5ad"],
  storedAs: "reference",
  isAddition: true,
} as const satisfies UploadSlot;

/** What Space Ranger writes for Visium and Visium HD, under its own names. */
export const SPACE_RANGER_SLOTS = [
  {
    id: "barcodes",
    group: "filtered_matrix",
    part: "barcodes",
    label: "Barcodes",
    fileName: "barcodes.tsv.gz",
    extensions: [".tsv.gz"],
    storedAs: "barcodes",
    holdsCounts: true,
  },
  {
    id: "features",
    group: "filtered_matrix",
    part: "features",
    label: "Features",
    fileName: "features.tsv.gz",
    extensions: [".tsv.gz"],
    storedAs: "features",
    holdsCounts: true,
  },
  {
    id: "matrix",
    group: "filtered_matrix",
    part: "matrix",
    label: "Matrix",
    fileName: "matrix.mtx.gz",
    extensions: [".mtx.gz"],
    storedAs: "matrix",
    holdsCounts: true,
  },
  {
    id: "h5",
    group: "spatial_data",
    part: "matrix",
    label: "Spatial matrix (H5)",
    fileName: "filtered_feature_bc_matrix.h5",
    extensions: [".h5"],
    storedAs: "filtered_feature_bc_matrix",
    holdsCounts: true,
  },
  {
    id: "positions",
    group: "spatial_data",
    part: "positions",
    label: "Positions",
    fileName: "tissue_positions.csv or .parquet",
    extensions: [".parquet", ".csv"],
    storedAs: "tissue_positions",
  },
  {
    id: "hires",
    group: "spatial_11",
    part: "hires",
    label: "Tissue image, high resolution",
    fileName: "tissue_hires_image.png",
    extensions: [".png"],
    storedAs: "tissue_hires_image",
  },
  {
    id: "lowres",
    group: "spatial_11",
    part: "lowres",
    label: "Tissue image, low resolution",
    fileName: "tissue_lowres_image.png",
    extensions: [".png"],
    storedAs: "tissue_lowres_image",
  },
  {
    id: "scale",
    group: "spatial_11",
    part: "scale",
    label: "Scale factors",
    fileName: "scalefactors_json.json",
    extensions: [".json"],
    storedAs: "scalefactors_json",
  },
  {
    id: "he_image",
    group: "he_image",
    label: "Histology image",
    fileName: "the histology image (.tif or .btf)",
    extensions: [".tif", ".btf"],
    storedAs: "image",
    smallBelowBytes: SMALL_IMAGE_BYTES,
  },
  REFERENCE_SLOT,
  // Additive and never needed: with it, Space Ranger 4's cells are taken instead of those found in the image.
  {
    id: "cells",
    group: "segmentation",
    label: "Cells of Space Ranger (optional)",
    fileName: "cell_segmentations.geojson",
    extensions: [".geojson"],
    storedAs: "cell_segmentations",
    isAddition: true,
  },
  ...OWN_FILES,
] as const satisfies readonly UploadSlot[];

/**
 * Gene counts come as the three files of a matrix folder or as one H5; cells are detected in the histology image or,
 * without one, in the high-resolution tissue image with its scale factors.
 */
export const SPACE_RANGER_REQUIRES = [
  { oneOf: [["barcodes", "features", "matrix"], ["h5"]], otherwise: "the .h5 matrix" },
  { oneOf: [["positions"]] },
  { oneOf: [["he_image"], ["hires", "scale"]] },
] as const;
