import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { InputError } from "../errors.ts";
import { findMarkers } from "../steps/6-projection-analysis/cell-markers/find-markers.ts";
import type { GeneValues } from "../steps/6-projection-analysis/spatial-statistics/gene-values.ts";
import { testedCells } from "../steps/6-projection-analysis/spatial-statistics/tested-cells.ts";
import type { GeneMajorCounts } from "../steps/6-projection-analysis/viewer/gene-major-counts.ts";
import type { ExploredSample, Progress } from "./explored-sample.ts";

/** A grouping of cells made in the view. */
export interface OwnGroups {
  /** Group of every cell; {@link NO_CLUSTER} = none. */
  labels: Uint16Array;
  names: readonly string[];
}

/** Genes listed per group. */
const LISTED = 50;
/** Tested cells; ranking more would not change the order of genes. */
const MAX_CELLS = 40_000;
/** A group with fewer tested cells has no markers. */
const MIN_CELLS = 5;
const SEED = 0;

/**
 * Markers of groups that were made in the view: each against all other cells that are in a group, by the tests of step
 * 6. Throws InputError where the groups do not fit the sample or fewer than two can be tested.
 */
export async function ownMarkers(
  sample: ExploredSample,
  { labels, names }: OwnGroups,
  progress: Progress = () => undefined,
): Promise<OwnMarkerTable> {
  const { nCells, genes } = sample.manifest;
  if (labels.length !== nCells) {
    throw new InputError(
      `The groups are of ${labels.length} cells; this sample has ${nCells}: make the groups again in this sample.`,
    );
  }
  const groupOfCell = Int32Array.from(labels, (label) => (label < names.length ? label : -1));
  const totals = new Float32Array((await sample.column("cells.total_counts")).buffer);
  const tested = testedCells(totals, await sample.column("cells.observed"));
  const inGroups = tested.cells.filter((cell) => groupOfCell[cell] >= 0);
  const random = new Random(SEED);
  const cells = sketchOf(inGroups, MAX_CELLS, (items) => random.shuffle(items));
  checkSizes(cells, groupOfCell, names.length);
  progress(0);
  const reliable = await sample.column("genes.reliable");
  const nTested = reliable.reduce((sum, flag) => sum + flag, 0);
  const factor = Float64Array.from(cells, (cell) => tested.factor[tested.rowOf[cell]]);
  const [found] = await findMarkers(
    valuesOf(sample.counts, reliable, { cells, factor, nCells }),
    { cells: cells.length, genes: nTested },
    [
      {
        groupBy: "cluster",
        groupOf: Int32Array.from(cells, (cell) => groupOfCell[cell]),
        ofAllCells: groupOfCell,
        names,
      },
    ],
    await sample.spots(),
    genes,
    LISTED,
    { seed: SEED, signal: new AbortController().signal, progress },
  );
  const { groupBy: _, ...table } = found.table;
  return table;
}

function checkSizes(cells: Uint32Array, groupOf: Int32Array, nGroups: number): void {
  const sizes = new Uint32Array(nGroups);
  for (const cell of cells) sizes[groupOf[cell]]++;
  const enough = sizes.filter((size) => size >= MIN_CELLS).length;
  if (enough >= 2) return;
  throw new InputError(
    `Markers compare groups, and ${enough === 0 ? "none" : "only one"} of these has ${MIN_CELLS} cells with enough counts of their own: choose groups with more measured cells.`,
  );
}

/** Normalized counts of the genes marked 1 in the tested cells. */
function* valuesOf(
  counts: GeneMajorCounts,
  wanted: Uint8Array,
  { cells, factor, nCells }: { cells: Uint32Array; factor: Float64Array; nCells: number },
): Generator<GeneValues> {
  const rowOf = new Int32Array(nCells).fill(-1);
  cells.forEach((cell, row) => (rowOf[cell] = row));
  const rows = new Uint32Array(cells.length);
  const values = new Float32Array(cells.length);
  for (const { gene, cells: counted, values: found } of counts.scan()) {
    if (!wanted[gene]) continue;
    let n = 0;
    for (let k = 0; k < counted.length; k++) {
      const row = rowOf[counted[k]];
      if (row < 0) continue;
      rows[n] = row;
      values[n++] = Math.log1p(found[k] * factor[row]);
    }
    yield { gene, rows: rows.subarray(0, n), values: values.subarray(0, n) };
  }
}
