/** Pairs of row and column with their values, or all values, column by column. */
export type MatrixFormat = "coordinate" | "array";

export const FROM_SPACE_RANGER =
  "copy or download matrix.mtx.gz from Space Ranger's filtered_feature_bc_matrix folder again";

/** The form declared by the first line of a Matrix Market file, or why it cannot hold counts, and what to do. */
export function matrixBanner(
  line: string,
): { format: MatrixFormat } | { fault: string; remedy: string } {
  const [mark, object, format, field, symmetry = "general"] = line
    .trim()
    .toLowerCase()
    .split(/\s+/);
  if (mark !== "%%matrixmarket" || object !== "matrix") {
    return {
      fault: "is not a Matrix Market file, whose first line starts with %%MatrixMarket matrix",
      remedy: FROM_SPACE_RANGER,
    };
  }
  if (field === "pattern") {
    return {
      fault:
        "tells only which genes were found in which spot, not how often (it is declared as pattern)",
      remedy: "export the raw counts as integers",
    };
  }
  if (field === "complex") {
    return {
      fault: "is declared as complex, so its values are not counts",
      remedy: "export the raw counts as integers",
    };
  }
  if (symmetry !== "general") {
    return {
      fault: `is declared as ${symmetry}, which stores only half of a square matrix`,
      remedy: "a matrix of counts must be declared as general; export it again",
    };
  }
  if (format === "coordinate" || format === "array") return { format };
  return {
    fault: `has the unknown form ${format ?? "(none)"} in its first line`,
    remedy: FROM_SPACE_RANGER,
  };
}

/** The size declared by the first line that is no comment; null if it cannot be true. */
export function matrixSize(
  line: string,
  format: MatrixFormat,
): { nRows: number; nCols: number; nEntries: number } | null {
  const sizes = line.trim().split(/\s+/).map(Number);
  const [nRows = Number.NaN, nCols = Number.NaN] = sizes;
  const nEntries = format === "array" ? nRows * nCols : (sizes[2] ?? Number.NaN);
  const isPossible = [nRows, nCols, nEntries].every((n) => Number.isSafeInteger(n) && n >= 0);
  return isPossible && nEntries <= nRows * nCols ? { nRows, nCols, nEntries } : null;
}
