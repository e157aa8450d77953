/** Sentences of the file upload (step 2). */
export const uploadTexts = {
  noFile: "Please select a file.",
  noProject: "Project ID is missing. Please create a project first.",
  failed: (file: string, message: string) =>
    `Error uploading ${file}: ${message || "Upload failed"}`,
  succeeded: (file: string) => `${file} uploaded successfully`,
  smallImage: (size: string) =>
    `This image seems too small (${size}). Please make sure that it is the full resolution image: roughly 500 MB to 7 GB, not the small ~20 MB preview. The upload goes on all the same.`,
} as const;

/** Why a file is refused and what to do. */
export const refusals = {
  tiff: "The image must end in .tif or .btf. Rename it from .tiff to .tif; its contents stay the same.",
  slideFormat:
    "Slide scanner formats are not read. Export the image as TIFF (.tif) or BigTIFF (.btf) at full resolution.",
  notCompressed: "The file must be gzip-compressed (.gz), as Space Ranger writes it.",
  archive: "Archives are not unpacked here. Unpack it and drop the folder.",
  compressedPositions: "Spot positions are read as .csv or .parquet. Unpack the .gz first.",
  notPng: "The tissue images must be PNG files, as Space Ranger writes them.",
  otherMatrix:
    "This is not the filtered matrix of Space Ranger. Choose the file whose name begins with filtered_feature_bc_matrix.",
  unknown: "The name matches none of the expected files. Use the Choose button of its row instead.",
  secondFile: (slot: string) => `Another file was already chosen for ${slot}.`,
  expects: (slot: string, extensions: readonly string[]) =>
    `${slot} takes ${extensions.join(" or ")} files.`,
  belongsElsewhere: (slot: string) => `By its name this file belongs to ${slot}.`,
} as const;
