import { KEPT_BITS, roundRates } from "@stipple/contract/packed-rates";
import type { CountedRates } from "../../model/counted-rates.ts";
import { log1pOf } from "../../numerics/log1p.ts";

/** What a sink wants of the rates. */
export interface RateChoice {
  /** Genes, ascending; null = every gene. */
  genes: Uint32Array | null;
  /** Rates below are left out; 0 = only zeros are. */
  below: number;
  /** Whether rates and X are rounded to what they are known to; see `roundRates`. */
  rounded: boolean;
  /** Whether X is not wanted. */
  ratesOnly: boolean;
}

/** The rates of some cells as a sink is handed them. */
export interface RateBlock {
  /** Entries of each cell. */
  lengths: Uint32Array;
  /** Places among the sink's genes. */
  indices: Int32Array;
  rates: Float32Array;
  /** log1p of the rate scaled to 10,000 a cell (over all genes); empty where X is not wanted. */
  normalised: Float32Array;
  /** Of the sink's genes: all rates, and those left out. */
  sum: number;
  dropped: number;
}

/** Memory that a block's entries are put in, one for each sink; the blocks of a later call lie in the same place. */
export type RateRoom = Pick<RateBlock, "indices" | "rates" | "normalised">;

/** X is scaled to this sum a cell, the convention of scanpy, Seurat and CellTypist. */
const TARGET_SUM = 1e4;

/** Most that rounding changes a rate or a value of X by, relative to it. */
export const RATE_PRECISION = 2 ** -(KEPT_BITS + 1);
/** The least float32 above 0: only zeros lie below it. */
const LEAST = 2 ** -149;

/** Room for blocks of `nCells` cells, in memory that threads share: nothing is copied, and nothing left to be collected. */
export function rateRoom(
  choices: readonly RateChoice[],
  nCells: number,
  nGenes: number,
): RateRoom[] {
  return choices.map(({ genes, ratesOnly }) => {
    const most = nCells * (genes ? genes.length : nGenes);
    const bytes = (length: number): SharedArrayBuffer => new SharedArrayBuffer(4 * length);
    return {
      indices: new Int32Array(bytes(most)),
      rates: new Float32Array(bytes(most)),
      normalised: new Float32Array(bytes(ratesOnly ? 0 : most)),
    };
  });
}

/** What each sink is handed of a block of cells, from their rates of all genes (row-major), in the room for it. */
export function rateBlocks(
  dense: Float32Array,
  nGenes: number,
  choices: readonly RateChoice[],
  rooms: readonly RateRoom[],
): RateBlock[] {
  return blocksFrom(dense.length / nGenes, choices, rooms, (cell) => {
    const row = dense.subarray(cell * nGenes, (cell + 1) * nGenes);
    return {
      total: sumOf(row),
      sumOf: (genes) => sumAt(row, genes),
      takeAll: (least, room, n) => takeAll(row, least, room, n),
      ofAllGenes: () => row,
    };
  });
}

/** The same, the same bits, from the rates that are not 0. */
export function countedRateBlocks(
  { lengths, indices, rates }: CountedRates,
  nGenes: number,
  choices: readonly RateChoice[],
  rooms: readonly RateRoom[],
): RateBlock[] {
  const counted = { indices, rates, normalised: new Float32Array(0) };
  let end = 0;
  return blocksFrom(lengths.length, choices, rooms, (cell) => {
    const start = end;
    end += lengths[cell];
    const until = end;
    return {
      total: sumOfCounted(indices, rates, start, until, nGenes),
      sumOf: (genes) => sumAtCounted(indices, rates, start, until, genes),
      takeAll: (least, room, n) => takeFrom(counted, start, until, least, room, n, true),
      ofAllGenes() {
        const row = new Float32Array(nGenes);
        for (let at = start; at < until; at++) row[indices[at]] = rates[at];
        return row;
      },
    };
  });
}

/** The rates of one cell. */
interface CellRates {
  total: number;
  /** Sum over some genes, ascending. */
  sumOf(genes: Uint32Array): number;
  /** Appends those from `least` on at place `n`; returns where they end. */
  takeAll(least: number, room: RateRoom, n: number): number;
  ofAllGenes(): Float32Array;
}

/** What a sink has been handed of a block so far. */
interface Part {
  choice: RateChoice;
  room: RateRoom;
  /** The sink whose rates hold all of this one's; −1 = none. */
  from: number;
  lengths: Uint32Array;
  n: number;
  sum: number;
  kept: number;
}

function blocksFrom(
  nCells: number,
  choices: readonly RateChoice[],
  rooms: readonly RateRoom[],
  ratesOf: (cell: number) => CellRates,
): RateBlock[] {
  const parts = choices.map((choice, i): Part => ({
    choice,
    room: rooms[i],
    // What another sink of all genes left out lies below this one's threshold too.
    from: choices.findIndex((other, j) => j < i && !other.genes && other.below <= choice.below),
    lengths: new Uint32Array(nCells),
    n: 0,
    sum: 0,
    kept: 0,
  }));
  const starts = new Uint32Array(parts.length);
  for (let cell = 0; cell < nCells; cell++) addCell(parts, starts, cell, ratesOf(cell));
  return parts.map(({ choice, room, lengths, n, sum, kept }) => {
    const rates = room.rates.subarray(0, n);
    const normalised = room.normalised.subarray(0, choice.ratesOnly ? 0 : n);
    if (choice.rounded) {
      roundRates(rates);
      roundRates(normalised);
    }
    const dropped = choice.below > 0 ? sum - kept : 0;
    return { lengths, indices: room.indices.subarray(0, n), rates, normalised, sum, dropped };
  });
}

/** A function of one cell, called all the time: V8 keeps what it has compiled of it (decision 71). */
function addCell(parts: readonly Part[], starts: Uint32Array, cell: number, of: CellRates): void {
  const { total } = of;
  const factor = total > 0 ? TARGET_SUM / total : 0;
  for (const [i, part] of parts.entries()) starts[i] = part.n;
  for (const [i, part] of parts.entries()) {
    const { choice, room, from } = part;
    const least = Math.max(choice.below, LEAST);
    const start = starts[i];
    const wider = from >= 0 ? parts[from] : null;
    if (choice.genes && choice.genes.length > 0) {
      part.n = wider
        ? takeGenesFrom(wider.room, starts[from], wider.n, choice.genes, least, room, part.n)
        : takeGenes(of.ofAllGenes(), choice.genes, least, room, part.n);
      part.sum += of.sumOf(choice.genes);
    } else if (!choice.genes) {
      part.n = wider
        ? takeFrom(wider.room, starts[from], wider.n, least, room, part.n, wider.choice.ratesOnly)
        : of.takeAll(least, room, part.n);
      part.sum += total;
    }
    part.kept += sumOf(room.rates.subarray(start, part.n));
    const hasX = wider !== null && !choice.genes && !wider.choice.ratesOnly;
    if (!choice.ratesOnly && !hasX) normalise(room, start, part.n, factor);
    part.lengths[cell] = part.n - start;
  }
}

/** X of the rates at places start … end − 1. */
function normalise(
  { rates, normalised }: RateRoom,
  start: number,
  end: number,
  factor: number,
): void {
  for (let at = start; at < end; at++) normalised[at] = log1pOf(rates[at] * factor);
}

/** Four sums side by side, which do not wait for each other. */
function sumOf(values: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = values.length - (values.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += values[i];
    b += values[i + 1];
    c += values[i + 2];
    d += values[i + 3];
  }
  for (let i = whole; i < values.length; i++) a += values[i];
  return a + b + (c + d);
}

/** The same sum of values that stand at ascending places of a row of `length` and of zeros elsewhere. */
function sumOfCounted(
  places: Int32Array,
  values: Float32Array,
  start: number,
  end: number,
  length: number,
): number {
  const sums = new Float64Array(4);
  const whole = length - (length % 4);
  for (let at = start; at < end; at++) sums[places[at] < whole ? places[at] & 3 : 0] += values[at];
  const [a, b, c, d] = sums;
  return a + b + (c + d);
}

/** A loop: `reduce` would make an object of every sum, gigabytes in a large sample. */
function sumAt(values: Float32Array, places: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < places.length; i++) sum += values[places[i]];
  return sum;
}

/** The same sum of values at places that ascend, zeros elsewhere. */
function sumAtCounted(
  indices: Int32Array,
  rates: Float32Array,
  start: number,
  end: number,
  genes: Uint32Array,
): number {
  let sum = 0;
  for (let at = start, i = 0; at < end; at++) {
    while (i < genes.length && genes[i] < indices[at]) i++;
    if (genes[i] === indices[at]) sum += rates[at];
  }
  return sum;
}

/**
 * Appends a cell's rates from `least` on at place `n`; returns where they end. Every rate is written, and the next one
 * over those that are not kept: the processor cannot guess which these are. Bits of floats that are not negative are in
 * the floats' order.
 */
function takeAll(row: Float32Array, least: number, room: RateRoom, n: number): number {
  const { indices, rates } = room;
  const words = new Int32Array(row.buffer, row.byteOffset, row.length);
  const leastWord = new Int32Array(Float32Array.of(least).buffer)[0];
  for (let gene = 0; gene < row.length; gene++) {
    indices[n] = gene;
    rates[n] = row[gene];
    n += 1 + ((words[gene] - leastWord) >> 31);
  }
  return n;
}

/** The same of some genes. */
function takeGenes(
  row: Float32Array,
  genes: Uint32Array,
  least: number,
  room: RateRoom,
  n: number,
): number {
  const { indices, rates } = room;
  for (let i = 0; i < genes.length; i++) {
    const rate = row[genes[i]];
    if (rate >= least) {
      indices[n] = i;
      rates[n++] = rate;
    }
  }
  return n;
}

/** The same of what a sink of all genes took at places start … end − 1; both ascend. */
function takeGenesFrom(
  other: RateRoom,
  start: number,
  end: number,
  genes: Uint32Array,
  least: number,
  { indices, rates }: RateRoom,
  n: number,
): number {
  for (let at = start, i = 0; at < end; at++) {
    const rate = other.rates[at];
    if (!(rate >= least)) continue;
    const gene = other.indices[at];
    while (i < genes.length && genes[i] < gene) i++;
    if (genes[i] !== gene) continue;
    indices[n] = i;
    rates[n++] = rate;
  }
  return n;
}

/** The same of what another sink took at places start … end − 1, with its values of X. */
function takeFrom(
  other: RateRoom,
  start: number,
  end: number,
  least: number,
  room: RateRoom,
  n: number,
  ratesOnly: boolean,
): number {
  const { indices, rates, normalised } = room;
  for (let at = start; at < end; at++) {
    const rate = other.rates[at];
    if (rate >= least) {
      indices[n] = other.indices[at];
      if (!ratesOnly) normalised[n] = other.normalised[at];
      rates[n++] = rate;
    }
  }
  return n;
}
