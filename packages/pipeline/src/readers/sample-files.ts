export type SpaceRangerMatrix =
  | { format: "mex"; barcodes: string; features: string; matrix: string }
  | { format: "h5"; path: string };
/** Counts, in a platform's own single-file format or as written by Space Ranger. */
export type MatrixFiles = SpaceRangerMatrix | { format: "table"; path: string };

/** The files of one sample, as found by its platform's reader. Absolute paths. */
export interface SampleFiles {
  /** The searched folder. */
  root: string;
  /** The recognized layout, in words for the log, e.g. "Space Ranger 2+ outs". */
  layout: string;
  matrix: MatrixFiles;
  /** The counts in the other format, if both exist: it is compared with `matrix`. */
  otherMatrix?: SpaceRangerMatrix | null;
  positions: { path: string; format: "csv" | "parquet" | "table" };
  scalefactors: string | null;
  hires: string | null;
  lowres: string | null;
  /** The full-resolution microscope image. */
  image: string | null;
  /** All files of a fluorescence image with one file per channel, in the order of the channels; `image` is the first. */
  channelFiles?: readonly string[] | null | undefined;
  /** Outlines of Space Ranger 4's own segmentation (segmented_outputs), if present. */
  segmented?: { cells: string; nuclei: string | null } | null | undefined;
  /** Counts of the array's finest bins (H5), if present: cells get their counts from these. */
  fineBins?: string | null | undefined;
  /** Labeled single cells (h5ad) for naming the cell types, if provided by the user. */
  reference?: string | null | undefined;
  /** Regions of the image (GeoJSON) in which cells are to be told apart, if provided by the user. */
  regions?: string | null | undefined;
  /** Regions (GeoJSON) whose spots and cells are left out, if provided by the user. */
  excluded?: string | null | undefined;
  /** Regions (GeoJSON) outside which spots and cells are left out, if provided by the user. */
  kept?: string | null | undefined;
  /** Cells or nuclei outlined by another program, if provided by the user: used instead of finding nuclei. */
  outlines?: string | null | undefined;
  /** Where the spots belong on the image (JSON), if the user aligned them. */
  alignment?: string | null | undefined;
  /** What people said about the cells of a result (JSON), if provided by the user. */
  annotations?: string | null | undefined;
  /** Files in the folder that look like data of the sample and are not used: why, and whether they may be wanted. */
  leftOut?: readonly { sentence: string; matters: boolean }[] | undefined;
}

/** Files from outside the sample's folder that a user may add. */
export const ADDED_INPUTS = [
  "reference",
  "regions",
  "excluded",
  "kept",
  "alignment",
  "outlines",
  "annotations",
] as const;
export type AddedFiles = Partial<Record<(typeof ADDED_INPUTS)[number], string | undefined>>;

/** Kinds of inputs: each step declares those that it opens. */
export const INPUT_NAMES = [
  "counts",
  "positions",
  "scalefactors",
  "hires",
  "lowres",
  "image",
  "segmented",
  "fine_bins",
  ...ADDED_INPUTS,
] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** Paths of a sample's files, by kind of input. */
export function inputPaths(files: SampleFiles): Record<InputName, string[]> {
  const paths = INPUT_NAMES.map((name) => [
    name,
    pathsOf(files, name).filter((path) => path !== null && path !== undefined),
  ]);
  return Object.fromEntries(paths) as Record<InputName, string[]>;
}

function pathsOf(files: SampleFiles, name: InputName): readonly (string | null | undefined)[] {
  switch (name) {
    case "counts":
      return [...matrixPaths(files.matrix), ...matrixPaths(files.otherMatrix)];
    case "positions":
      return [files.positions.path];
    case "image":
      return files.channelFiles ?? [files.image];
    case "segmented":
      return [files.segmented?.cells, files.segmented?.nuclei];
    case "fine_bins":
      return [files.fineBins];
    default:
      return [files[name]];
  }
}

/** A sample with all inputs hidden except those in `names`; file names can still be read. */
export function onlyInputs(files: SampleFiles, names: readonly InputName[]): SampleFiles {
  const shown = { ...files };
  for (const name of INPUT_NAMES) {
    if (name === "counts" || name === "positions" || names.includes(name)) continue;
    if (name === "image") shown.channelFiles = null;
    shown[name === "fine_bins" ? "fineBins" : name] = null;
  }
  return shown;
}

function matrixPaths(matrix: MatrixFiles | null | undefined): string[] {
  if (!matrix) return [];
  return "path" in matrix ? [matrix.path] : [matrix.barcodes, matrix.features, matrix.matrix];
}

/** All paths of a sample. */
export function samplePaths(files: SampleFiles): string[] {
  return Object.values(inputPaths(files)).flat();
}
