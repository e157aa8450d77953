/** The files of one sample, found in a Space Ranger `outs` folder or a flat folder. Absolute paths. */
export interface SampleFiles {
  /** Folder that was searched. */
  root: string;
  /** Which layout was recognised, in words for the log, e.g. "Space Ranger 2+ outs". */
  layout: string;
  matrix:
    | { format: "mex"; barcodes: string; features: string; matrix: string }
    | { format: "h5"; path: string };
  positions: { path: string; format: "csv" | "parquet" };
  scalefactors: string | null;
  hires: string | null;
  lowres: string | null;
  /** The full-resolution microscope image. */
  image: string | null;
}

/** Every path of a sample, for checksums. */
export function samplePaths(files: SampleFiles): string[] {
  const matrix =
    files.matrix.format === "h5"
      ? [files.matrix.path]
      : [files.matrix.barcodes, files.matrix.features, files.matrix.matrix];
  return [
    ...matrix,
    files.positions.path,
    ...[files.scalefactors, files.hires, files.lowres, files.image].filter((path) => path !== null),
  ];
}
