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
  "reference",
  "regions",
  "excluded",
  "kept",
  "alignment",
  "outlines",
  "annotations",
] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** Files from outside the sample's folder that a user may add. */
export const ADDED_INPUTS = [
  "reference",
  "regions",
  "excluded",
  "kept",
  "alignment",
  "outlines",
  "annotations",
] as const satisfies InputName[];
export type AddedFiles = Partial<Record<(typeof ADDED_INPUTS)[number], string | undefined>>;

/** Paths of a sample's files, by kind of input. */
export function inputPaths(files: SampleFiles): Record<InputName, string[]> {
  const given = (...paths: (string | null | undefined)[]): string[] =>
    paths.filter((path) => path !== null && path !== undefined);
  return {
    counts: [...matrixPaths(files.matrix), ...matrixPaths(files.otherMatrix)],
    positions: [files.positions.path],
    scalefactors: given(files.scalefactors),
    hires: given(files.hires),
    lowres: given(files.lowres),
    image: files.channelFiles ? [...files.channelFiles] : given(files.image),
    segmented: given(files.segmented?.cells, files.segmented?.nuclei),
    fine_bins: given(files.fineBins),
    reference: given(files.reference),
    regions: given(files.regions),
    excluded: given(files.excluded),
    kept: given(files.kept),
    alignment: given(files.alignment),
    outlines: given(files.outlines),
    annotations: given(files.annotations),
  };
}

/** A sample with all inputs hidden except those in `names`; file names can still be read. */
export function onlyInputs(files: SampleFiles, names: readonly InputName[]): SampleFiles {
  const shown = <T>(name: InputName, value: T): T | null => (names.includes(name) ? value : null);
  return {
    ...files,
    scalefactors: shown("scalefactors", files.scalefactors),
    hires: shown("hires", files.hires),
    lowres: shown("lowres", files.lowres),
    image: shown("image", files.image),
    channelFiles: shown("image", files.channelFiles),
    segmented: shown("segmented", files.segmented),
    fineBins: shown("fine_bins", files.fineBins),
    reference: shown("reference", files.reference),
    regions: shown("regions", files.regions),
    excluded: shown("excluded", files.excluded),
    kept: shown("kept", files.kept),
    alignment: shown("alignment", files.alignment),
    outlines: shown("outlines", files.outlines),
    annotations: shown("annotations", files.annotations),
  };
}

function matrixPaths(matrix: MatrixFiles | null | undefined): string[] {
  if (!matrix) return [];
  return "path" in matrix ? [matrix.path] : [matrix.barcodes, matrix.features, matrix.matrix];
}

/** All paths of a sample. */
export function samplePaths(files: SampleFiles): string[] {
  return Object.values(inputPaths(files)).flat();
}
