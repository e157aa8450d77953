import { CancelledError, InputError } from "../errors.ts";
import { describedIn, readCondensed } from "./condensed-reference.ts";
import { H5adFile, type H5adMatrix } from "./h5ad-file.ts";
import { REFERENCE_FILE } from "../model/limits.ts";
import { isMissing } from "../readers/tables/cell-values.ts";

const { MIN_CELLS } = REFERENCE_FILE;
/** Names of obs columns searched for labels, in this order; case and underscores do not matter. */
const LABEL_COLUMNS =
  "celltype celltypes cellontologyclass authorcelltype cellannotation annotation annotations label labels bulklabels celllabel celllabels subclass class cluster clusters".split(
    " ",
  );

/**
 * Checks all of a reference that can be checked without the sample: that every value in it can be read, its labels, and
 * that its parts belong together. Throws {@link InputError}. O(file): seconds for 100,000 cells.
 */
export async function checkReference(
  file: string,
  { labelColumn, signal }: { labelColumn?: string | undefined; signal: AbortSignal },
): Promise<void> {
  await withReference(file, async (h5ad) => {
    const condensed = describedIn(h5ad);
    if (condensed) return void (await readCondensed(h5ad, condensed));
    const { matrix } = outlineOf(h5ad, labelColumn);
    await surveyOf(h5ad, matrix, signal);
  });
}

/** Checks a reference without reading its values: whether a file can be a reference at all. O(cells + genes). */
export async function checkReferenceOutline(
  file: string,
  labelColumn: string | undefined,
): Promise<void> {
  await withReference(file, (h5ad) => {
    if (!describedIn(h5ad)) h5ad.requireReadable(outlineOf(h5ad, labelColumn).matrix);
    return Promise.resolve();
  });
}

/** Opens a reference, passes it to `use`, and closes it. Anything that HDF5 cannot read is an {@link InputError}. */
export async function withReference<T>(
  file: string,
  use: (h5ad: H5adFile) => Promise<T>,
): Promise<T> {
  const h5ad = await H5adFile.open(file);
  try {
    return await use(h5ad);
  } catch (cause) {
    if (cause instanceof InputError || cause instanceof CancelledError) throw cause;
    return h5ad.damaged(cause);
  } finally {
    h5ad.close();
  }
}

/**
 * The labels and the matrix of a reference, without its values. Throws {@link InputError} if there are no labels, fewer
 * than two, or tables of other lengths than the matrix.
 */
export function outlineOf(h5ad: H5adFile, labelColumn: string | undefined) {
  const column = findLabels(h5ad, labelColumn);
  const given = h5ad.text("obs", column);
  if (!given) return h5ad.fail(`has a column ${column} in obs that holds no names: choose another`);
  const { matrix, table } = findMatrix(h5ad);
  const [nCells, nGenes] = [given.length, h5ad.index(table).length];
  if (matrix.nCells !== nCells || matrix.nGenes !== nGenes) {
    h5ad.fail(
      `is damaged: ${matrix.path} has ${matrix.nCells} cells and ${matrix.nGenes} genes, but obs has ${nCells} and ${table} ${nGenes}`,
    );
  }
  const found = labelsOf(given);
  if (found.labels.length < 2) {
    h5ad.fail(
      `has fewer than two labels with ${MIN_CELLS} or more cells in obs column ${column}: choose a column of cell types`,
    );
  }
  return { matrix, table, ...found };
}

function findLabels(h5ad: H5adFile, wanted: string | undefined): string {
  const columns = h5ad.columns("obs");
  if (wanted !== undefined) {
    if (columns.includes(wanted)) return wanted;
    return h5ad.fail(`has no column ${wanted} in obs: choose one of ${columns.join(", ")}`);
  }
  const [first] = recognizedLabels(h5ad);
  return (
    first ??
    h5ad.fail(
      `has no recognized column of cell types in obs (cell_type, label, …): choose one of ${columns.join(", ")}`,
    )
  );
}

/** The columns of obs whose names are those of labels, the usual names first. */
export function recognizedLabels(h5ad: H5adFile): string[] {
  const columns = h5ad.columns("obs");
  const plain = columns.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ""));
  return LABEL_COLUMNS.flatMap((name) => columns.filter((_, at) => plain[at] === name));
}

function findMatrix(h5ad: H5adFile): { matrix: H5adMatrix; table: string } {
  const counts = h5ad.matrix("layers/counts");
  if (counts) return { matrix: counts, table: "var" };
  const raw = h5ad.matrix("raw/X");
  if (raw) return { matrix: raw, table: "raw/var" };
  const x = h5ad.matrix("X");
  return x
    ? { matrix: x, table: "var" }
    : h5ad.fail("has no expression values in X, raw/X, or layers/counts: put its counts into X");
}

/**
 * The sum of each cell, whether all values are whole numbers, and the largest. Throws {@link InputError} for scaled
 * values. Reads all values.
 */
export async function surveyOf(
  h5ad: H5adFile,
  matrix: H5adMatrix,
  signal: AbortSignal,
): Promise<{ totals: Float64Array; whole: boolean; most: number }> {
  const totals = new Float64Array(matrix.nCells);
  let whole = true;
  let [least, most] = [0, 0];
  await h5ad.visit(
    matrix,
    (cell, _, value) => {
      totals[cell] += value;
      if (value < least) least = value;
      if (value > most) most = value;
      if (whole && !Number.isInteger(value)) whole = false;
    },
    signal,
  );
  if (least < 0) {
    h5ad.fail(`has scaled values (below 0) in ${matrix.path}: use counts or log-normalized values`);
  }
  return { totals, whole, most };
}

/** Labels with enough cells, and the label of each cell; −1 for cells of other labels. */
function labelsOf(given: readonly string[]): { labels: string[]; labelOf: Int32Array } {
  const sizes = new Map<string, number>();
  for (const label of given) {
    if (!isMissing(label.trim()) && !/^(unknown|unassigned)$/i.test(label.trim())) {
      sizes.set(label, (sizes.get(label) ?? 0) + 1);
    }
  }
  const labels = [...sizes.keys()].filter((label) => sizes.get(label)! >= MIN_CELLS).sort();
  const at = new Map(labels.map((label, place) => [label, place]));
  return { labels, labelOf: Int32Array.from(given, (label) => at.get(label) ?? -1) };
}
