/** Bytes of a chunk; only the last chunk of a file may be shorter. */
export const CHUNK_BYTES = 10 * 1024 * 1024;

/** A histology image below this size triggers a warning: it is probably a preview. */
export const SMALL_IMAGE_BYTES = 100 * 1024 * 1024;

export const UPLOAD_GROUPS = [
  "filtered_matrix",
  "spatial_data",
  "spatial_11",
  "he_image",
  "reference",
  "segmentation",
  "fine_bins",
  "more_files",
] as const;
export type UploadGroup = (typeof UPLOAD_GROUPS)[number];
export type UploadPart =
  | "barcodes"
  | "features"
  | "matrix"
  | "positions"
  | "hires"
  | "lowres"
  | "scale"
  | "alignment"
  | "outlines"
  | "regions"
  | "excluded"
  | "kept"
  | "annotations";

/**
 * A place for one input file of a project. `storedAs` + the file's own accepted extension is its name in the project's
 * input folder.
 */
export interface UploadSlot {
  id: string;
  group: UploadGroup;
  /** Absent where the group alone addresses the file. */
  part?: UploadPart;
  label: string;
  /** The file in a sentence: "tissue_positions.csv or .parquet". */
  fileName: string;
  /** Accepted file-name endings, lower case, longest first. */
  extensions: readonly string[];
  /** Base name under which the file is stored. */
  storedAs: string;
  /** Whether it holds gene counts: with other counts it is another sample. */
  holdsCounts?: true;
  /** Optional and not part of the sample: it affects how the sample is analyzed. */
  isAddition?: true;
  /** A file below this size triggers a warning. */
  smallBelowBytes?: number;
}

/** Something an analysis requires: all slots of one of the alternatives, the usual one first. */
export interface Requirement {
  oneOf: readonly (readonly string[])[];
  /** The other alternatives in words, for the sentence that asks for the first: "the .h5 matrix". */
  otherwise?: string;
}

/** The accepted ending of `fileName` for this slot, or undefined when the type is wrong. */
export function acceptedExtension(slot: UploadSlot, fileName: string): string | undefined {
  const lower = fileName.toLowerCase();
  return slot.extensions.find((extension) => lower.endsWith(extension));
}
