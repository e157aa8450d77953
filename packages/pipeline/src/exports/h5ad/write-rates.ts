import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { AnnDataFile } from "./anndata-file.ts";

export interface RateRows {
  nCells: number;
  nGenes: number;
  /** Rates of cells from … to − 1, row-major. */
  rows(from: number, to: number): Float32Array;
}

export interface RateSummary {
  entries: number;
  /** Rates below this were left out; 0 when only zeros were. */
  droppedBelow: number;
  /** Share of all inferred expression that was left out. */
  droppedFraction: number;
}

/** Rates kept at most: 0.8 GB of values, twice (rate and X); the shared indices are deflated to little. */
export const MAX_RATE_ENTRIES = 200_000_000;
/** X is scaled to this sum a cell, the convention of scanpy, Seurat and CellTypist. */
const TARGET_SUM = 1e4;
/** Values computed at a time. */
const BLOCK_VALUES = 1 << 22;
const SAMPLED_CELLS = 400;

/**
 * Writes layers/rate and X (log1p of the rate scaled to 10,000 a cell) in one pass over the cells; both have the same
 * pattern and share it on disk. O(nCells · nGenes) time, O(BLOCK_VALUES) memory.
 */
export async function writeRates(
  file: AnnDataFile,
  rates: RateRows,
  options: {
    signal: AbortSignal;
    progress(fraction: number): void;
    maxEntries?: number;
  },
): Promise<RateSummary> {
  const { nCells, nGenes } = rates;
  const droppedBelow = thresholdFor(rates, options.maxEntries ?? MAX_RATE_ENTRIES);
  const layer = file.csr("layers/rate", nCells, nGenes, "<f");
  let [sum, dropped] = [0, 0];
  const block = Math.max(1, Math.floor(BLOCK_VALUES / nGenes));
  const indices = new Int32Array(block * nGenes);
  const values = new Float32Array(block * nGenes);
  const normalised = new Float32Array(block * nGenes);
  const x = file.matchingCsr("X", nCells, nGenes);
  for (let from = 0; from < nCells; from += block) {
    const to = Math.min(nCells, from + block);
    const dense = rates.rows(from, to);
    const lengths = new Uint32Array(to - from);
    let n = 0;
    for (let cell = from; cell < to; cell++) {
      const at = (cell - from) * nGenes;
      let total = 0;
      for (let gene = 0; gene < nGenes; gene++) total += dense[at + gene];
      const factor = total > 0 ? TARGET_SUM / total : 0;
      const start = n;
      let kept = 0;
      for (let gene = 0; gene < nGenes; gene++) {
        const rate = dense[at + gene];
        if (!(rate > 0) || rate < droppedBelow) continue;
        indices[n] = gene;
        values[n] = rate;
        normalised[n++] = Math.log1p(rate * factor);
        kept += rate;
      }
      lengths[cell - from] = n - start;
      sum += total;
      dropped += total - kept;
    }
    layer.append(lengths, indices.subarray(0, n), values.subarray(0, n));
    x.append(normalised.subarray(0, n));
    options.progress(to / nCells);
    await setImmediate();
    throwIfCancelled(options.signal);
  }
  layer.finish();
  file.sharePattern("X", "layers/rate");
  return {
    entries: layer.entries,
    droppedBelow,
    droppedFraction: droppedBelow > 0 && sum > 0 ? dropped / sum : 0,
  };
}

/** Rate below which entries are left out so that about `maxEntries` stay, from evenly spread cells; 0 = keep all. */
function thresholdFor(rates: RateRows, maxEntries: number): number {
  const { nCells, nGenes } = rates;
  if (nCells * nGenes <= maxEntries) return 0;
  const nSampled = Math.min(nCells, SAMPLED_CELLS);
  const sample = new Float32Array(nSampled * nGenes);
  for (let i = 0; i < nSampled; i++) {
    const cell = Math.floor(((i + 0.5) * nCells) / nSampled);
    sample.set(rates.rows(cell, cell + 1), i * nGenes);
  }
  sample.sort();
  const kept = Math.floor((0.98 * sample.length * maxEntries) / (nCells * nGenes));
  return sample[Math.max(0, sample.length - kept)];
}
