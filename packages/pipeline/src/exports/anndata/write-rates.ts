import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { AnnDataTarget } from "./target.ts";

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
  /** Share of the inferred expression (of the sink's genes) that was left out. */
  droppedFraction: number;
}

/** Where rates go: rows in order, a block at a time. */
export interface RateSink {
  /** Rates kept at most, about. */
  maxEntries: number;
  /** Genes that are wanted, ascending; every gene when absent. Indices handed over count within it. */
  genes?: Uint32Array;
  /** `normalised` is log1p of the rate scaled to 10,000 a cell (over all genes). The arrays are reused afterwards. */
  append(
    lengths: Uint32Array,
    indices: Int32Array,
    rates: Float32Array,
    normalised: Float32Array,
  ): void | Promise<void>;
  finish(summary: RateSummary): void | Promise<void>;
}

/** X is scaled to this sum a cell, the convention of scanpy, Seurat and CellTypist. */
const TARGET_SUM = 1e4;
/** Values computed at a time. */
const BLOCK_VALUES = 1 << 22;
const SAMPLED_CELLS = 400;

/**
 * Computes every cell's rates once and hands them to all sinks, each with the threshold that its size asks for.
 * O(nCells · nGenes) time, O(BLOCK_VALUES) memory.
 */
export async function writeRates(
  rates: RateRows,
  sinks: readonly RateSink[],
  options: { signal: AbortSignal; progress(fraction: number): void },
): Promise<RateSummary[]> {
  const { nCells, nGenes } = rates;
  const everyGene = Uint32Array.from({ length: nGenes }, (_, gene) => gene);
  const sampleOf = sampler(rates);
  const states = sinks.map((sink) => {
    const genes = sink.genes ?? everyGene;
    return {
      sink,
      genes,
      below: thresholdFor(sampleOf, genes, nCells, sink.maxEntries),
      n: 0,
      sum: 0,
      dropped: 0,
    };
  });
  const block = Math.max(1, Math.floor(BLOCK_VALUES / Math.max(1, nGenes)));
  const indices = new Int32Array(block * nGenes);
  const values = new Float32Array(block * nGenes);
  const normalised = new Float32Array(block * nGenes);
  const factors = new Float64Array(block);
  for (let from = 0; from < nCells; from += block) {
    const to = Math.min(nCells, from + block);
    const dense = rates.rows(from, to);
    for (let cell = 0; cell < to - from; cell++) {
      let total = 0;
      for (let at = cell * nGenes; at < (cell + 1) * nGenes; at++) total += dense[at];
      factors[cell] = total > 0 ? TARGET_SUM / total : 0;
    }
    for (const state of states) {
      const { sink, genes, below } = state;
      const lengths = new Uint32Array(to - from);
      let n = 0;
      for (let cell = 0; cell < to - from; cell++) {
        const start = n;
        for (let i = 0; i < genes.length; i++) {
          const rate = dense[cell * nGenes + genes[i]];
          if (!(rate > 0)) continue;
          state.sum += rate;
          if (rate < below) {
            state.dropped += rate;
            continue;
          }
          indices[n] = i;
          values[n] = rate;
          normalised[n++] = Math.log1p(rate * factors[cell]);
        }
        lengths[cell] = n - start;
      }
      state.n += n;
      await sink.append(
        lengths,
        indices.subarray(0, n),
        values.subarray(0, n),
        normalised.subarray(0, n),
      );
    }
    options.progress(to / nCells);
    await setImmediate();
    throwIfCancelled(options.signal);
  }
  const summaries: RateSummary[] = [];
  for (const { sink, n, below, sum, dropped } of states) {
    const summary = {
      entries: n,
      droppedBelow: below,
      droppedFraction: sum > 0 ? dropped / sum : 0,
    };
    await sink.finish(summary);
    summaries.push(summary);
  }
  return summaries;
}

/** layers/rate and X of an AnnData object; both have the same pattern. */
export function rateLayers(
  target: AnnDataTarget,
  { nCells, nGenes }: RateRows,
  maxEntries: number,
): RateSink {
  const layer = target.csr("layers/rate", nCells, nGenes, "<f");
  const x = target.matchingCsr("X", nCells, nGenes);
  return {
    maxEntries,
    append(lengths, indices, rates, normalised) {
      layer.append(lengths, indices, rates);
      x.append(normalised);
    },
    finish() {
      layer.finish();
      x.finish();
      target.sharePattern("X", "layers/rate");
    },
  };
}

/** Rates of evenly spread cells, computed when first asked for: rows × all genes. */
function sampler(rates: RateRows): () => { rows: Float32Array; nGenes: number; nSampled: number } {
  const { nCells, nGenes } = rates;
  const nSampled = Math.min(nCells, SAMPLED_CELLS);
  let rows: Float32Array | null = null;
  return () => {
    if (!rows) {
      rows = new Float32Array(nSampled * nGenes);
      for (let i = 0; i < nSampled; i++) {
        const cell = Math.floor(((i + 0.5) * nCells) / nSampled);
        rows.set(rates.rows(cell, cell + 1), i * nGenes);
      }
    }
    return { rows, nGenes, nSampled };
  };
}

/** Rate below which entries are left out so that about `maxEntries` stay; 0 = keep all. */
function thresholdFor(
  sampleOf: ReturnType<typeof sampler>,
  genes: Uint32Array,
  nCells: number,
  maxEntries: number,
): number {
  if (nCells * genes.length <= maxEntries) return 0;
  const { rows, nGenes, nSampled } = sampleOf();
  const sample = new Float32Array(nSampled * genes.length);
  for (let i = 0; i < nSampled; i++) {
    for (let g = 0; g < genes.length; g++) {
      sample[i * genes.length + g] = rows[i * nGenes + genes[g]];
    }
  }
  sample.sort();
  const kept = Math.floor((0.98 * sample.length * maxEntries) / (nCells * genes.length));
  return sample[Math.max(0, sample.length - kept)];
}
