/** Bytes of a chunk; only the last chunk of a file may be shorter. */
export const CHUNK_BYTES = 10 * 1024 * 1024;

/** A histology image below this size draws a warning: it is probably a preview. */
export const SMALL_IMAGE_BYTES = 100 * 1024 * 1024;

export const UPLOAD_GROUPS = [
  "filtered_matrix",
  "spatial_data",
  "spatial_11",
  "he_image",
  "reference",
  "segmentation",
] as const;
export type UploadGroup = (typeof UPLOAD_GROUPS)[number];
export type UploadPart =
  "barcodes" | "features" | "matrix" | "positions" | "hires" | "lowres" | "scale";

/** A place for one input file of a project. `storedAs` + the file's own accepted extension is its name in the project's input folder. */
export interface UploadSlot {
  id: string;
  group: UploadGroup;
  /** Absent for the histology image and the reference, which are addressed by their group alone. */
  part?: UploadPart;
  label: string;
  /** Accepted file-name endings, lower case, longest first. */
  extensions: readonly string[];
  /** Base name under which the file is stored: Space Ranger's own. */
  storedAs: string;
  /** Patterns (on the lower-case base name) by which a dropped file is recognised. */
  recognise: RegExp;
}

export const UPLOAD_SLOTS: readonly UploadSlot[] = [
  {
    id: "barcodes",
    group: "filtered_matrix",
    part: "barcodes",
    label: "Barcodes",
    extensions: [".tsv.gz"],
    storedAs: "barcodes",
    recognise: /barcodes\.tsv\.gz$/,
  },
  {
    id: "features",
    group: "filtered_matrix",
    part: "features",
    label: "Features",
    extensions: [".tsv.gz"],
    storedAs: "features",
    recognise: /(features|genes)\.tsv\.gz$/,
  },
  {
    id: "matrix",
    group: "filtered_matrix",
    part: "matrix",
    label: "Matrix",
    extensions: [".mtx.gz"],
    storedAs: "matrix",
    recognise: /matrix\.mtx\.gz$/,
  },
  {
    id: "h5",
    group: "spatial_data",
    part: "matrix",
    label: "Spatial matrix (H5)",
    extensions: [".h5"],
    storedAs: "filtered_feature_bc_matrix",
    recognise: /\.h5$/,
  },
  {
    id: "positions",
    group: "spatial_data",
    part: "positions",
    label: "Spot positions",
    extensions: [".parquet", ".csv"],
    storedAs: "tissue_positions",
    recognise: /tissue_positions(_list)?\.(csv|parquet)$/,
  },
  {
    id: "hires",
    group: "spatial_11",
    part: "hires",
    label: "Tissue image, high resolution",
    extensions: [".png"],
    storedAs: "tissue_hires_image",
    recognise: /hires.*\.png$/,
  },
  {
    id: "lowres",
    group: "spatial_11",
    part: "lowres",
    label: "Tissue image, low resolution",
    extensions: [".png"],
    storedAs: "tissue_lowres_image",
    recognise: /lowres.*\.png$/,
  },
  {
    id: "scale",
    group: "spatial_11",
    part: "scale",
    label: "Scale factors",
    extensions: [".json"],
    storedAs: "scalefactors_json",
    recognise: /scalefactors.*\.json$/,
  },
  {
    id: "he_image",
    group: "he_image",
    label: "Histology image",
    extensions: [".tif", ".btf"],
    storedAs: "image",
    recognise: /\.(tif|btf)$/,
  },
  // Additive and never needed: without it, cells are typed by marker genes.
  {
    id: "reference",
    group: "reference",
    label: "Labeled cells (optional)",
    extensions: [".h5ad"],
    storedAs: "reference",
    recognise: /\.h5ad$/,
  },
  // Additive and never needed: with it, Space Ranger 4's cells are taken in place of those found in the image.
  {
    id: "cells",
    group: "segmentation",
    label: "Cells of Space Ranger (optional)",
    extensions: [".geojson"],
    storedAs: "cell_segmentations",
    // graphclust_annotated_cell_segmentations.geojson holds the same outlines once more.
    recognise: /(?<!annotated_)cell_segmentations\.geojson$/,
  },
];

/** The slot that an upload's group and part address, or undefined when there is none. */
export function findSlot(group: string, part: string | undefined): UploadSlot | undefined {
  return UPLOAD_SLOTS.find((slot) => slot.group === group && slot.part === part);
}

/** The accepted ending of `fileName` for this slot, or undefined when the type is wrong. */
export function acceptedExtension(slot: UploadSlot, fileName: string): string | undefined {
  const lower = fileName.toLowerCase();
  return slot.extensions.find((extension) => lower.endsWith(extension));
}

/**
 * The slots that must be filled before a workflow can start, given those that are. Gene counts may come as the three
 * files of a matrix folder or as one H5; cells are looked for in the histology image or, without one, in the
 * high-resolution tissue image with its scale factors.
 */
export function missingSlots(filled: ReadonlySet<string>): UploadSlot[] {
  const needed = new Set(["positions"]);
  if (!filled.has("h5")) for (const id of ["barcodes", "features", "matrix"]) needed.add(id);
  if (!filled.has("hires") || !filled.has("scale")) needed.add("he_image");
  return UPLOAD_SLOTS.filter(({ id }) => needed.has(id) && !filled.has(id));
}
