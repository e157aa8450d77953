import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { maxUnpackedText } from "@stipple/formats/limits";
import { readLines } from "../counts/read-text.ts";
import { FROM_SPACE_RANGER, matrixBanner, type MatrixFormat, matrixSize } from "./matrix-market.ts";

/** Paths of the three files in a Matrix Market folder. */
export interface TextMatrixFiles {
  barcodes: string;
  features: string;
  matrix: string;
}

/** What a Matrix Market file declares before its counts. */
export interface MatrixHead {
  format: MatrixFormat;
  /** Whether rows are barcodes and columns genes. */
  isTransposed: boolean;
  nFeatures: number;
  nBarcodes: number;
  nEntries: number;
  /** Lines up to the first count. */
  nLines: number;
}

/** Bytes of "1 1 1" and its line ending, and of "0" and its line ending in a matrix with all values. */
const SHORTEST = { coordinate: 6, array: 2 } as const;

export const WANTED = {
  what: "the matrix",
  remedy: "use matrix.mtx.gz from the filtered_feature_bc_matrix folder",
};

/**
 * Reads the head of a Matrix Market file, next to which this many barcodes and features are listed. Throws {@link
 * InputError} if it cannot be true, or is of another sample than the lists. Unpacks a megabyte.
 */
export async function readMatrixHead(
  files: TextMatrixFiles,
  listed: { barcodes: number; features: number },
): Promise<MatrixHead> {
  const fail = (what: string, remedy: string): never => {
    throw new InputError(`${basename(files.matrix)} ${what}: ${remedy}.`);
  };
  let format: MatrixFormat | null = null;
  let nLines = 0;
  for await (const line of readLines(files.matrix, WANTED)) {
    nLines++;
    if (format === null) {
      const banner = matrixBanner(line);
      format = "format" in banner ? banner.format : fail(banner.fault, banner.remedy);
    }
    if (line === "" || line.startsWith("%")) continue;
    const size = matrixSize(line, format);
    const most = maxUnpackedText((await stat(files.matrix)).size) / SHORTEST[format];
    if (size === null || size.nEntries > most) {
      fail(`has an invalid size in line ${nLines} ("${line.slice(0, 40)}")`, FROM_SPACE_RANGER);
    }
    return { format, nLines, ...sizeOfLists(size!, files, listed) };
  }
  return fail("has no size line and no matrix", FROM_SPACE_RANGER);
}

function sizeOfLists(
  { nRows, nCols, nEntries }: NonNullable<ReturnType<typeof matrixSize>>,
  files: TextMatrixFiles,
  listed: { barcodes: number; features: number },
): Omit<MatrixHead, "format" | "nLines"> {
  const isTransposed = nRows !== nCols && nRows === listed.barcodes && nCols === listed.features;
  const [nFeatures, nBarcodes] = isTransposed ? [nCols, nRows] : [nRows, nCols];
  for (const [what, announced] of [
    ["barcodes", nBarcodes],
    ["features", nFeatures],
  ] as const) {
    if (announced === listed[what]) continue;
    throw new InputError(
      `${basename(files.matrix)} has ${announced} ${what}, but ${basename(files[what])} lists ${listed[what]}: the files are from different samples; take all three from one filtered_feature_bc_matrix folder.`,
    );
  }
  return { isTransposed, nFeatures, nBarcodes, nEntries };
}
