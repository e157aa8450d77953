import { KEPT_BITS, roundRates } from "@stipple/contract/packed-rates";
import {
  normalize,
  entryBuffers,
  sumOf,
  takeFrom,
  takeRow,
  type CellEntries,
} from "./take-entries.ts";

/** Which rates a sink wants. */
export interface RateChoice {
  /** Genes, ascending; null = every gene. */
  genes: Uint32Array | null;
  /** Rates below this are left out; 0 = only zeros are. */
  below: number;
  /** Whether rates and X are rounded to their known precision; see `roundRates`. */
  rounded: boolean;
  /** Whether X is left out. */
  ratesOnly: boolean;
}

/** The rates of some cells as passed to a sink. */
export interface RateBlock {
  /** Entries per cell. */
  lengths: Uint32Array;
  /** Positions among the sink's genes. */
  indices: Int32Array;
  rates: Float32Array;
  /** log1p of the rate scaled to 10,000 per cell (over all genes); empty if X is left out. */
  normalized: Float32Array;
  /** Over the sink's genes: the sum of all rates, and of those left out. */
  sum: number;
  dropped: number;
}

/** Memory for a block's entries, one for each sink; the blocks of a later call reuse it. */
export type RateBuffers = Pick<RateBlock, "indices" | "rates" | "normalized">;

/** Per-cell total to which X is scaled, the convention of scanpy, Seurat, and CellTypist. */
const TARGET_SUM = 1e4;

/** Largest relative change of a rate or a value of X by rounding. */
export const RATE_PRECISION = 2 ** -(KEPT_BITS + 1);
/** The smallest float32 above 0: only zeros lie below it. */
const MIN_FLOAT = 2 ** -149;

/**
 * Room for blocks of `nCells` cells, in memory that threads share: nothing to copy, and nothing to garbage-collect.
 */
export function rateBuffers(
  choices: readonly RateChoice[],
  nCells: number,
  nGenes: number,
): RateBuffers[] {
  return choices.map(({ genes, ratesOnly }) => {
    const most = nCells * (genes ? genes.length : nGenes);
    const bytes = (length: number): SharedArrayBuffer => new SharedArrayBuffer(4 * length);
    return {
      indices: new Int32Array(bytes(most)),
      rates: new Float32Array(bytes(most)),
      normalized: new Float32Array(bytes(ratesOnly ? 0 : most)),
    };
  });
}

/** This thread's memory: what each sink takes from a cell. */
let entries: { nGenes: number; buffers: CellEntries[] } = { nGenes: 0, buffers: [] };

function entriesFor(nGenes: number, nSinks: number): CellEntries[] {
  if (entries.nGenes !== nGenes || entries.buffers.length < nSinks) {
    entries = { nGenes, buffers: Array.from({ length: nSinks }, () => entryBuffers(nGenes)) };
  }
  return entries.buffers;
}

/** What a sink has received of a block so far. */
interface Part {
  choice: RateChoice;
  buffers: RateBuffers;
  /** For the current cell. */
  taken: CellEntries;
  /** A sink whose rates include all of this one's; null = none. */
  wider: Part | null;
  lengths: Uint32Array;
  n: number;
  sum: number;
  kept: number;
}

/**
 * Builds what each sink gets of a block of cells from the cells' rates of all genes (row-major), in the room for it.
 */
export function rateBlocks(
  dense: Float32Array,
  nGenes: number,
  choices: readonly RateChoice[],
  buffers: readonly RateBuffers[],
): RateBlock[] {
  const nCells = dense.length / nGenes;
  const taken = entriesFor(nGenes, choices.length);
  const parts: Part[] = [];
  for (const [i, choice] of choices.entries()) {
    parts.push({
      choice,
      buffers: buffers[i],
      taken: taken[i],
      // A sink of all genes whose threshold is no higher: what it left out is below this one's threshold, too.
      wider: parts.find(({ choice: { genes, below } }) => !genes && below <= choice.below) ?? null,
      lengths: new Uint32Array(nCells),
      n: 0,
      sum: 0,
      kept: 0,
    });
  }
  for (let cell = 0; cell < nCells; cell++) {
    addCell(parts, cell, dense.subarray(cell * nGenes, (cell + 1) * nGenes));
  }
  return parts.map(({ choice, buffers, lengths, n, sum, kept }) => ({
    lengths,
    indices: buffers.indices.subarray(0, n),
    rates: buffers.rates.subarray(0, n),
    normalized: buffers.normalized.subarray(0, choice.ratesOnly ? 0 : n),
    sum,
    dropped: choice.below > 0 ? sum - kept : 0,
  }));
}

/** Handles one cell and is called constantly, so that V8 keeps its compiled code. */
function addCell(parts: readonly Part[], cell: number, row: Float32Array): void {
  const total = sumOf(row);
  const factor = total > 0 ? TARGET_SUM / total : 0;
  for (const part of parts) {
    const { choice, taken, wider } = part;
    const least = Math.max(choice.below, MIN_FLOAT);
    const hasX = !choice.genes && wider !== null && !wider.choice.ratesOnly;
    if (!choice.genes) {
      if (wider) takeFrom(wider.taken, least, taken, hasX && !choice.ratesOnly);
      else takeRow(row, least, taken);
      part.sum += total;
    } else if (choice.genes.length > 0) {
      taken.n = takeGenes(row, choice.genes, least, taken);
      part.sum += sumAt(row, choice.genes);
    } else taken.n = 0;
    part.kept += sumOf(taken.rates, taken.n);
    if (!choice.ratesOnly && !hasX) normalize(taken, factor);
  }
  for (const part of parts) handOver(part, cell);
}

/** Appends the entries taken from a cell to the block, rounded if the sink wants it. */
function handOver(part: Part, cell: number): void {
  const { choice, buffers, taken } = part;
  const { n } = taken;
  const [rates, x] = [taken.rates.subarray(0, n), taken.normalized.subarray(0, n)];
  buffers.indices.set(taken.indices.subarray(0, n), part.n);
  if (choice.rounded) roundRates(rates);
  buffers.rates.set(rates, part.n);
  if (!choice.ratesOnly) {
    if (choice.rounded) roundRates(x);
    buffers.normalized.set(x, part.n);
  }
  part.lengths[cell] = n;
  part.n += n;
}

/** A loop: `reduce` would allocate an object for every sum, gigabytes in a large sample. */
function sumAt(values: Float32Array, places: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < places.length; i++) sum += values[places[i]];
  return sum;
}

/** Takes a cell's rates of some genes that are at least `least`; returns their number. */
function takeGenes(
  row: Float32Array,
  genes: Uint32Array,
  least: number,
  { indices, rates }: CellEntries,
): number {
  let n = 0;
  for (let i = 0; i < genes.length; i++) {
    const rate = row[genes[i]];
    if (rate >= least) {
      indices[n] = i;
      rates[n++] = rate;
    }
  }
  return n;
}
