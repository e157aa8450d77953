/** Sentences of the file upload (step 2). */
export const uploadTexts = {
  noFile: "Please select a file.",
  noProject: "Project ID is missing. Please create a project first.",
  failed: (file: string, message: string) =>
    `Error uploading ${file}: ${message || "Upload failed"}`,
  succeeded: (file: string) => `${file} uploaded successfully`,
  smallImage: (size: string) =>
    `This file seems too small (${size}). Please ensure that it is the full resolution image: roughly 500 MB to 7 GB. The small ~20 MB preview must not be used. The upload continues anyway.`,
  dropTitle: "Drop the Space Ranger folder and the tissue image here",
  dropHint: "You can drop the entire outs folder; files are recognized by name.",
  chooseFolder: "Choose folder",
  chooseFiles: "Choose files",
  noneRecognized:
    "None of these files is needed. Drop Space Ranger's outs folder, or choose files one by one below.",
  projectUnread:
    "Error: This project could not be loaded, so files can't be assigned yet. Please try again.",
  otherSamplesTitle: "One sample at a time",
  otherSamples: (folders: readonly string[]) => {
    const more = folders.length > 3 ? ` and ${folders.length - 3} more` : "";
    return `Files from another sample were left out: ${folders.slice(0, 3).join(", ")}${more}.`;
  },
  groups: {
    filtered_matrix: "Filtered matrix",
    spatial_data: "Spatial data",
    spatial_11: "Tissue images and scale",
    he_image: "Histology image",
    reference: "Cell type reference",
    segmentation: "Existing segmentation",
    fine_bins: "Finest bins",
  },
  /** What a row shows next to the file name. */
  expected: {
    he_image: "full resolution .tif or .btf, roughly 500 MB to 7 GB",
    reference:
      "annotated single cells with a cell type column (.h5ad); without it, marker genes are used to name the cells",
    cells:
      "cell_segmentations.geojson from segmented_outputs; without it, cells are detected in the image",
    fine_bins:
      "filtered_feature_bc_matrix.h5 from square_002um; with it, cells get their counts and rates from 2 µm bins",
  } as Record<string, string>,
  choose: "Choose",
  replace: "Replace",
  retry: "Retry",
  cancel: "Cancel",
  remove: "Remove",
  removed: (file: string) => `${file} was removed`,
  noAnswer: "No connection to the server.",
  removeFailed: (file: string, message: string) => `Error removing ${file}: ${message}`,
  missing: "Missing",
  optional: "Optional",
  waiting: "Waiting",
  verifying: "Verifying…",
  uploaded: "Uploaded",
  failedState: "Failed",
  pausedOffline: "Paused: no network. It resumes automatically.",
  pausedSession: "Paused: log in again to continue.",
  retrying: (retry: number) => `Connection problem. Retrying (${retry} of 5)`,
  unfinished: (file: string, percent: number) =>
    `${percent}% of ${file} was uploaded. Choose the same file again to resume.`,
  ignored: (count: number) =>
    count === 1
      ? "1 other file is not needed and was left out."
      : `${count} other files are not needed and were left out.`,
  refusedTitle: "Not accepted",
  allThere: "All required files are uploaded.",
  stillMissing: (labels: readonly string[]) =>
    `Still missing: ${labels.join(", ")}. The workflow cannot start without ${labels.length === 1 ? "it" : "them"}.`,
  stillUploading: (count: number) =>
    count === 1 ? "1 file is still being uploaded." : `${count} files are still being uploaded.`,
  keepOpen: "You can use other pages in the meantime, but keep this tab open.",
  back: "Back",
  next: "Next",
} as const;

/** Why a file is refused and what to do. */
export const refusals = {
  tiff: "The image name must end in .tif or .btf. Rename it from .tiff to .tif; the content doesn't change.",
  slideFormat:
    "Slide scanner formats aren't supported. Export the image as TIFF (.tif) or BigTIFF (.btf) at full resolution.",
  notCompressed: "The file must be gzip-compressed (.gz), as Space Ranger writes it.",
  archive: "Archives aren't supported. Unpack the archive and drop the folder.",
  compressedPositions: "Spot positions must be .csv or .parquet. Unpack the .gz file first.",
  notPng: "The tissue images must be PNG files, as Space Ranger writes them.",
  otherMatrix:
    "This is not Space Ranger's filtered matrix. Choose the file whose name starts with filtered_feature_bc_matrix.",
  unknown: "The name doesn't match any expected file. Use the Choose button in its row instead.",
  unreadable:
    "The file can't be read. Check that it still exists and that you have permission to open it.",
  secondFile: (slot: string) => `Another file was already chosen for ${slot}.`,
  expects: (slot: string, extensions: readonly string[]) =>
    `${slot} accepts ${extensions.join(" or ")} files.`,
  belongsElsewhere: (slot: string) => `Based on its name, this file belongs in ${slot}.`,
} as const;
