import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { InputError } from "../errors.ts";
import { findMarkers } from "../steps/6-projection-analysis/cell-markers/find-markers.ts";
import { normalizedCounts } from "../steps/6-projection-analysis/spatial-statistics/gene-values.ts";
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
  const tested = await sample.tested();
  const inGroups = tested.cells.filter((cell) => groupOfCell[cell] >= 0);
  const cells = sketchOf(inGroups, MAX_CELLS, new Random(SEED));
  checkSizes(cells, groupOfCell, names.length);
  progress(0);
  const reliable = await sample.column("genes.reliable");
  const nTested = reliable.reduce((sum, flag) => sum + flag, 0);
  const [found] = await findMarkers(
    normalizedCounts(sample.counts.scan(), cells, tested, reliable),
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
