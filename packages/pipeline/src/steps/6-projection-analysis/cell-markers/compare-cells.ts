import { counted } from "@stipple/contract/counted";
import type { DifferentialTable } from "@stipple/contract";
import { InputError } from "../../../errors.ts";
import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { normalizedCounts } from "../spatial-statistics/gene-values.ts";
import { testedCells } from "../spatial-statistics/tested-cells.ts";
import type { GeneEntries } from "../viewer/gene-major-counts.ts";
import { compositionOf, testGroups, unitShares, unitsOf, type CapturedSpots } from "./spot-test.ts";
import { log2FoldChange, rankSums, sortedEntries } from "./rank-sum.ts";

/** The data that two sets of cells are compared on. */
export interface ComparedSample {
  /** Total allocated counts per cell. */
  totals: Float32Array;
  observed: Uint8Array;
  genes: readonly string[];
  reliable: Uint8Array;
  counts: Iterable<GeneEntries & { gene: number }>;
  spots: CapturedSpots;
}

/**
 * If a side has more tested cells than this, a sample is drawn: ranking more cells would not change the
 * conclusion.
 */
const MAX_CELLS = 20_000;
const MIN_CELLS = 3;
const SEED = 0;

/** A set of cells, one bit per cell, lowest bit of the first byte first. */
type Bits = Uint8Array;
const has = (bits: Bits, cell: number): boolean => ((bits[cell >> 3] >> (cell & 7)) & 1) === 1;

/**
 * Compares the cells of `a` with those of `b` (null = all others) in every gene with counts in a compared cell.
 * Effect sizes come from the same cells and values as the group markers (observed cells with enough counts,
 * scaled to the median depth, log(1 + x)); p-values come from the spots captured mostly from these cells, each
 * spot counting once. O(entries of the sample); memory for the compared cells and one gene. `progress` gets the
 * fraction of all genes done, with a first call of 0 once the sets are known to be comparable. Throws
 * InputError for sets that cannot be compared.
 */
export function compareCells(
  sample: ComparedSample,
  a: Bits,
  b: Bits | null,
  progress: (done: number) => void = () => undefined,
): DifferentialTable {
  const { totals, observed, genes } = sample;
  checkSets(totals.length, a, b);
  const tested = testedCells(totals, observed);
  const random = new Random(SEED);
  const sideOf = (which: "first" | "second", inside: (cell: number) => boolean) => {
    const all = tested.cells.filter(inside);
    if (all.length < MIN_CELLS) throw new InputError(tooFew(which, all.length, b === null));
    return { all, taken: sketchOf(all, MAX_CELLS, random) };
  };
  const first = sideOf("first", (cell) => has(a, cell));
  const second = sideOf("second", (cell) => (b ? has(b, cell) : !has(a, cell)));

  progress(0);
  const units = unitsOf(sample.spots);
  const sides = Int32Array.from(totals, (_, cell) =>
    has(a, cell) ? 0 : !b || has(b, cell) ? 1 : -1,
  );
  const composition = compositionOf(sample.spots, units, sides, 2);
  const sizes = Float64Array.of(first.taken.length, second.taken.length);
  const groupOf = new Int32Array(sizes[0] + sizes[1]).fill(1, sizes[0]);
  const taken = Uint32Array.of(...first.taken, ...second.taken);
  const found: ComparedGene[] = [];
  for (const { gene, rows, values } of normalizedCounts(sample.counts, taken, tested)) {
    progress(gene / genes.length);
    if (rows.length === 0) continue;
    const scores = rankSums(sortedEntries(rows, values), rows, values, { groupOf, sizes });
    const tests = testGroups(unitShares(sample.spots, units, gene), composition);
    found.push({
      gene,
      t: tests.t[0],
      p: tests.p[0],
      change: log2FoldChange(scores.mean[0], scores.mean[1]),
      auc: scores.auc[0],
      fractions: [scores.fraction[0], scores.fraction[1]],
    });
  }
  return {
    cells_a: sizes[0],
    cells_b: sizes[1],
    sampled: first.taken.length < first.all.length || second.taken.length < second.all.length,
    spots: composition.units.length,
    ...columnsOf(found, sample),
  };
}

/** A gene with counts in a compared cell. */
interface ComparedGene {
  gene: number;
  t: number;
  p: number;
  change: number;
  auc: number;
  /** Share of each side's cells with counts. */
  fractions: readonly [number, number];
}

/** The genes' columns, in the order of their p-values. */
function columnsOf(
  found: readonly ComparedGene[],
  { genes, reliable }: ComparedSample,
): Omit<DifferentialTable, "cells_a" | "cells_b" | "sampled" | "spots"> {
  const fdr = adjustForFalseDiscovery(found.map(({ p }) => p));
  const order = [...found.keys()].sort(
    (x, y) =>
      found[x].p - found[y].p ||
      Math.abs(found[y].auc - 0.5) - Math.abs(found[x].auc - 0.5) ||
      Math.abs(found[y].change) - Math.abs(found[x].change),
  );
  const column = (of: (gene: ComparedGene, at: number) => number): number[] =>
    order.map((at) => rounded(of(found[at], at)));
  return {
    genes: order.map((at) => genes[found[at].gene]),
    t: column(({ t }) => t),
    pvalue: column(({ p }) => p),
    fdr: column((_, at) => fdr[at]),
    log2_fold_change: column(({ change }) => change),
    auc: column(({ auc }) => auc),
    fraction_a: column(({ fractions }) => fractions[0]),
    fraction_b: column(({ fractions }) => fractions[1]),
    reliable: order.map((at) => reliable[found[at].gene] === 1),
  };
}

function checkSets(nCells: number, a: Bits, b: Bits | null): void {
  for (const [which, bits] of [
    ["first", a],
    ["second", b],
  ] as const) {
    if (!bits) continue;
    const bytes = Math.ceil(nCells / 8);
    if (bits.length !== bytes) {
      throw new InputError(
        `The ${which} set of cells has ${bits.length} bytes; with one bit for each of the ${nCells} cells, it must have ${bytes}.`,
      );
    }
    if (nCells % 8 > 0 && bits[bytes - 1] >> (nCells % 8) > 0) {
      throw new InputError(`The ${which} set refers to cells beyond the sample's ${nCells}.`);
    }
    if (bits.every((byte) => byte === 0)) {
      throw new InputError(
        `The ${which} set of cells is empty: select at least ${MIN_CELLS} cells.`,
      );
    }
  }
  if (!b) return;
  if (a.every((byte, at) => byte === b[at])) {
    throw new InputError("Both sets contain the same cells: choose two different sets.");
  }
  let shared = 0;
  a.forEach((byte, at) => {
    for (let both = byte & b[at]; both > 0; both &= both - 1) shared++;
  });
  if (shared > 0) {
    throw new InputError(
      `The two sets share ${counted(shared, "cell")}: remove ${shared === 1 ? "it" : "them"} from one set.`,
    );
  }
}

function tooFew(which: "first" | "second", count: number, rest: boolean): string {
  const set = which === "second" && rest ? "The rest" : `The ${which} set`;
  return `${set} has ${counted(count, "cell")} whose expression was measured with enough counts; a comparison needs ${MIN_CELLS}.`;
}

/** Six digits are enough; more would only add to what is sent. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
