import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import type { SpaceRangerMatrix } from "../sample-files.ts";
import type { CountMatrix, ReadCountsOptions } from "../counts/count-matrix.ts";
import { readH5Matrix, readH5Outline } from "./read-h5-matrix.ts";
import { readBarcodes, readFeatures } from "./read-lists.ts";
import { readMatrixHead } from "./read-matrix-head.ts";
import { readTextMatrix } from "./read-text-matrix.ts";

/** Counts in one of Space Ranger's formats, and in the other if available. */
export interface SpaceRangerCounts {
  matrix: SpaceRangerMatrix;
  otherMatrix?: SpaceRangerMatrix | null;
}

/** Reads a sample's counts, first comparing its two formats if both are available. */
export async function readCounts(
  files: SpaceRangerCounts,
  options: ReadCountsOptions & { warn: (message: string) => void },
): Promise<CountMatrix> {
  const { matrix, otherMatrix } = files;
  if (otherMatrix) await compareFormats(matrix, otherMatrix, options.warn);
  return matrix.format === "h5"
    ? readH5Matrix(matrix.path, options)
    : readTextMatrix(matrix, options);
}

/** Barcodes of a sample's counts; compares its two formats if both are available. */
export async function readSpots({ matrix, otherMatrix }: SpaceRangerCounts): Promise<string[]> {
  if (otherMatrix) await compareFormats(matrix, otherMatrix, () => undefined);
  return (await outline(matrix)).barcodes;
}

/** What a matrix says of itself before its counts are read. */
interface Outline {
  file: string;
  barcodes: string[];
  nFeatures: number;
  /** Of those other than 0; null where a text lists all. */
  nCounts: number | null;
}

async function outline(matrix: SpaceRangerMatrix): Promise<Outline> {
  if (matrix.format === "h5") {
    return { file: basename(matrix.path), ...(await readH5Outline(matrix.path)) };
  }
  const barcodes = await readBarcodes(matrix.barcodes);
  const nFeatures = (await readFeatures(matrix.features)).geneOf.length;
  const listed = { barcodes: barcodes.length, features: nFeatures };
  const { format, nEntries } = await readMatrixHead(matrix, listed);
  const nCounts = format === "array" ? null : nEntries;
  return { file: basename(matrix.barcodes), barcodes, nFeatures, nCounts };
}

/**
 * An unreadable second file is only worth a warning; one from another sample is a mistake that the user must know about.
 */
async function compareFormats(
  matrix: SpaceRangerMatrix,
  other: SpaceRangerMatrix,
  warn: (message: string) => void,
): Promise<void> {
  const first = await outline(matrix);
  const second = await outline(other).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    warn(`${error.message} The counts were taken from ${first.file} and the files next to it.`);
    return null;
  });
  if (second === null) return;
  const absent = firstAbsent(first, second);
  if (first.barcodes.length !== second.barcodes.length || absent !== undefined) {
    // All barcodes of a slide include those of any sample on such a slide.
    const mayBeRaw = absent === undefined || firstAbsent(second, first) === undefined;
    const cause = mayBeRaw
      ? "one is of the unfiltered matrix, or the files are from different samples; take both of the filtered matrix"
      : "the files are from different samples; take both";
    throw new InputError(
      `${first.file} lists ${first.barcodes.length} barcodes and ${second.file} ${second.barcodes.length}${absent === undefined ? "" : `, without ${absent}`}: ${cause} from one Space Ranger folder.`,
    );
  }
  if (first.nFeatures !== second.nFeatures) {
    throw new InputError(
      `${first.file} has ${first.nFeatures} features and ${second.file} has ${second.nFeatures}: the files are from different samples; take both from one Space Ranger folder.`,
    );
  }
  if (first.nCounts !== null && second.nCounts !== null && first.nCounts !== second.nCounts) {
    throw new InputError(
      `${fileOf(matrix)} has ${first.nCounts} counts and ${fileOf(other)} ${second.nCounts}, for the same spots and genes: the files are from different runs; take both from one Space Ranger folder, or leave one out.`,
    );
  }
}

function fileOf(matrix: SpaceRangerMatrix): string {
  return basename(matrix.format === "h5" ? matrix.path : matrix.matrix);
}

/** The first barcode of one matrix that another lacks. */
function firstAbsent(one: Outline, other: Outline): string | undefined {
  const listed = new Set(other.barcodes);
  return one.barcodes.find((barcode) => !listed.has(barcode));
}
