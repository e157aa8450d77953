export type MatrixFiles =
  | { format: "mex"; barcodes: string; features: string; matrix: string }
  | { format: "h5"; path: string };

/** The files of one sample, found in a Space Ranger `outs` folder or a flat folder. Absolute paths. */
export interface SampleFiles {
  /** Folder that was searched. */
  root: string;
  /** Which layout was recognised, in words for the log, e.g. "Space Ranger 2+ outs". */
  layout: string;
  matrix: MatrixFiles;
  /** The same counts in the other format, when both are there: it is held against `matrix`. */
  otherMatrix?: MatrixFiles | null;
  positions: { path: string; format: "csv" | "parquet" };
  scalefactors: string | null;
  hires: string | null;
  lowres: string | null;
  /** The full-resolution microscope image, or the instrument's own coarse one where there is no other. */
  image: string | null;
  /** Outlines of Space Ranger 4's own segmentation (segmented_outputs), where they lie there. */
  segmented?: { cells: string; nuclei: string | null } | null | undefined;
}

function matrixPaths(matrix: MatrixFiles | null | undefined): string[] {
  if (!matrix) return [];
  return matrix.format === "h5" ? [matrix.path] : [matrix.barcodes, matrix.features, matrix.matrix];
}

/** Every path of a sample, for checksums. */
export function samplePaths(files: SampleFiles): string[] {
  return [
    ...matrixPaths(files.matrix),
    ...matrixPaths(files.otherMatrix),
    files.positions.path,
    ...[
      files.scalefactors,
      files.hires,
      files.lowres,
      files.image,
      files.segmented?.cells ?? null,
      files.segmented?.nuclei ?? null,
    ].filter((path) => path !== null),
  ];
}
