/** Sentences of the file upload (step 2). */
export const uploadTexts = {
  noFile: "Please select a file.",
  failed: (file: string, message: string) =>
    `Error uploading ${file}: ${message || "Upload failed"}`,
  succeeded: (file: string) => `${file} uploaded successfully`,
  smallImage: (size: string) =>
    `This file seems too small (${size}). Please ensure that it is the full resolution image: roughly 500 MB to 7 GB. The small ~20 MB preview must not be used. The upload continues anyway.`,
  dropTitle: "Drop the Space Ranger folder and the tissue image here",
  dropHint: "You can drop the entire outs folder; we pick the files we need.",
  chooseFolder: "Choose folder",
  chooseFiles: "Choose files",
  noneRecognized:
    "None of these files is needed. Drop Space Ranger's outs folder, or choose files one by one below.",
  projectUnread:
    "Error: This project could not be loaded, so files can't be assigned yet. Please try again.",
  groups: {
    filtered_matrix: "Filtered matrix",
    spatial_data: "Spatial data",
    spatial_11: "Tissue images and scale",
    he_image: "Histology image",
    reference: "Cell type reference",
    segmentation: "Existing segmentation",
    fine_bins: "Finest bins",
    more_files: "More files",
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
  skipped: (count: number) =>
    count === 1 ? "Skipped 1 file we don't need." : `Skipped ${count} files we don't need.`,
  skippedDetails: "Which files, and why",
  refusedTitle: "Not accepted",
  allThere: "All required files are uploaded.",
  checking: "Checking that the files fit together…",
  unusableTitle: "These files can't be analyzed together",
  unusable:
    "Replace the file that doesn't fit, or change the configuration. The workflow can't start with these files.",
  stillMissing: (labels: readonly string[]) =>
    `Still missing: ${labels.join(", ")}. The workflow cannot start without ${labels.length === 1 ? "it" : "them"}.`,
  stillUploading: (count: number) =>
    count === 1 ? "1 file is still being uploaded." : `${count} files are still being uploaded.`,
  keepOpen: "You can use other pages in the meantime, but keep this tab open.",
  back: "Back",
  next: "Next",
} as const;

/** Why a file is refused and what to do, beside what the recognizer says. */
export const refusals = {
  unknown: (file: string) =>
    `${file} doesn't match any expected file. Use the Choose button in its row instead.`,
  unreadable: (path: string) =>
    `${path} can't be read. Check that it still exists and that you have permission to open it.`,
  damaged: (file: string) =>
    `${file} doesn't unpack completely. Copy or download it again, then choose it again.`,
  belongsElsewhere: (slot: string) => `Based on its name, this file belongs in ${slot}.`,
  cellsNotChosen: (file: string) =>
    `${file} holds Space Ranger's cells. Choose it in its row to use them instead of cells found in the image.`,
  channels: (files: string) =>
    `${files} are channels of one image. Save them as one TIFF with several channels.`,
} as const;
