import { rangesOf } from "@stipple/numerics/ranges";
import { randomUUID } from "node:crypto";
import { roundRates } from "@stipple/contract/packed-rates";
import type { Tasks } from "@stipple/tasks/task";
import { pause } from "../../engine/pause.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { selectValue } from "@stipple/numerics/select-value";
import { cellsFrom, type CellNumbers, type RateParts } from "../../model/rates.ts";
import { rateBlocks, rateBuffers, type RateBlock, type RateChoice } from "./rate-block.ts";
import { blockOfRates } from "./block-of-rates.ts";
import type { AnnDataTarget } from "./target.ts";

export interface RateRows {
  nCells: number;
  nGenes: number;
  /** Rates of some cells, row-major. */
  rows(cells: CellNumbers): Promise<Float32Array>;
}

export interface RateSummary {
  entries: number;
  /** Rates below this were left out; 0 if only zeros were. */
  droppedBelow: number;
  /** Share of the inferred expression (of the sink's genes) that was left out. */
  droppedFraction: number;
}

/** Destination of rates: rows in order, one block at a time. */
export interface RateSink {
  /** Maximum number of rates kept, approximately. */
  maxEntries: number;
  /** Genes wanted, ascending; every gene if absent. Indices passed to `append` refer to this list. */
  genes?: Uint32Array;
  /** Whether rates and X are rounded; see `roundRates`. */
  rounded?: boolean;
  /** Whether X is left out. */
  ratesOnly?: boolean;
  /**
   * `normalized` is log1p of the rate scaled to 10,000 per cell (over all genes); empty for `ratesOnly`. The arrays are
   * reused once the promise is fulfilled.
   */
  append(
    lengths: Uint32Array,
    indices: Int32Array,
    rates: Float32Array,
    normalized: Float32Array,
  ): void | Promise<void>;
  finish(summary: RateSummary): void | Promise<void>;
}

/** What threads compute rates from. */
export interface SharedRates {
  tasks: Tasks;
  parts: RateParts;
  spotCounts: SparseMatrix;
}

export interface RateOptions {
  signal: AbortSignal;
  progress(fraction: number): void;
  /** If absent, everything runs on the caller's thread. */
  shared?: SharedRates;
  /** Values computed at a time; {@link BLOCK_VALUES} by default. */
  blockValues?: number;
}

/** Values computed at a time. */
const BLOCK_VALUES = 1 << 20;
/** Fewer values than this are computed before a thread would have started. */
const WORTH_THREADS = 1 << 25;
const SAMPLED_CELLS = 400;

/**
 * Computes every cell's rates once and passes them to all sinks, each with the threshold that its size requires.
 * Bit-identical for any number of threads. O(nCells · nGenes) time, O(threads · BLOCK_VALUES) memory.
 */
export async function writeRates(
  rates: RateRows,
  sinks: readonly RateSink[],
  options: RateOptions,
): Promise<RateSummary[]> {
  const { nCells } = rates;
  const choices = await chooseRates(rates, sinks);
  const totals = sinks.map(() => ({ n: 0, sum: 0, dropped: 0 }));
  let done = 0;
  for await (const blocks of blocksOf(rates, choices, options)) {
    for (const [i, { lengths, indices, rates, normalized, sum, dropped }] of blocks.entries()) {
      totals[i].n += indices.length;
      totals[i].sum += sum;
      totals[i].dropped += dropped;
      await sinks[i].append(lengths, indices, rates, normalized);
    }
    done += blocks[0].lengths.length;
    options.progress(done / nCells);
    await pause(options.signal);
  }
  const summaries: RateSummary[] = [];
  for (const [i, { n, sum, dropped }] of totals.entries()) {
    const summary = {
      entries: n,
      droppedBelow: choices[i].below,
      droppedFraction: sum > 0 ? dropped / sum : 0,
    };
    await sinks[i].finish(summary);
    summaries.push(summary);
  }
  return summaries;
}

async function chooseRates(rates: RateRows, sinks: readonly RateSink[]): Promise<RateChoice[]> {
  const everyGene = Uint32Array.from({ length: rates.nGenes }, (_, gene) => gene);
  const sampleOf = sampler(rates);
  const choices: RateChoice[] = [];
  for (const { genes = null, rounded = false, ratesOnly = false, maxEntries } of sinks) {
    const below = await thresholdFor(sampleOf, genes ?? everyGene, rates.nCells, maxEntries);
    // Rounded like the rates, so that no rate that is kept ends up below it.
    const threshold = Float32Array.of(below);
    if (rounded) roundRates(threshold);
    choices.push({ genes, below: threshold[0], rounded, ratesOnly });
  }
  return choices;
}

/** What the sinks receive for all cells, in order. */
async function* blocksOf(
  rates: RateRows,
  choices: readonly RateChoice[],
  { shared, signal, blockValues = BLOCK_VALUES }: RateOptions,
): AsyncGenerator<RateBlock[]> {
  const { nCells, nGenes } = rates;
  const size = Math.max(1, Math.floor(blockValues / Math.max(1, nGenes)));
  const ranges = rangesOf(nCells, size);
  if (shared?.tasks.isWorth(nCells * nGenes, WORTH_THREADS)) {
    const { tasks, parts, spotCounts } = shared;
    const common = { key: randomUUID(), parts, spotCounts, choices };
    // Twice as many blocks as threads are under way; each reuses the memory of a block already written.
    const buffers = Array.from({ length: 2 * tasks.parallel }, () =>
      rateBuffers(choices, size, nGenes),
    );
    const inputs = {
      length: ranges.length,
      at: (index: number) => ({ ...ranges[index], buffers: buffers[index % buffers.length] }),
    };
    yield* tasks.inOrder(blockOfRates, { shared: common, inputs }, { signal });
    return;
  }
  const buffers = rateBuffers(choices, Math.min(size, nCells), nGenes);
  for (const { from, to } of ranges) {
    yield rateBlocks(await rates.rows(cellsFrom(from, to)), nGenes, choices, buffers);
  }
}

/** layers/rate and X of an AnnData object; both have the same sparsity pattern. */
export function rateLayers(
  target: AnnDataTarget,
  { nCells, nGenes }: RateRows,
  maxEntries: number,
): RateSink {
  const layer = target.csr("layers/rate", nCells, nGenes, "<f");
  const x = target.matchingCsr("X", nCells, nGenes);
  return {
    maxEntries,
    rounded: true,
    async append(lengths, indices, rates, normalized) {
      await layer.append(lengths, indices, rates);
      await x.append(normalized);
    },
    async finish() {
      await layer.finish();
      await x.finish();
      target.sharePattern("X", "layers/rate");
    },
  };
}

/** Rates of evenly spaced cells, computed on first use: rows × all genes. */
function sampler(
  rates: RateRows,
): () => Promise<{ rows: Float32Array; nGenes: number; nSampled: number }> {
  const { nCells, nGenes } = rates;
  const nSampled = Math.min(nCells, SAMPLED_CELLS);
  const cells = Uint32Array.from({ length: nSampled }, (_, i) =>
    Math.floor(((i + 0.5) * nCells) / nSampled),
  );
  let rows: Promise<Float32Array> | null = null;
  return async () => ({ rows: await (rows ??= rates.rows(cells)), nGenes, nSampled });
}

/** Rate below which entries are left out so that about `maxEntries` remain; 0 = keep all. */
async function thresholdFor(
  sampleOf: ReturnType<typeof sampler>,
  genes: Uint32Array,
  nCells: number,
  maxEntries: number,
): Promise<number> {
  if (nCells * genes.length <= maxEntries) return 0;
  const { rows, nGenes, nSampled } = await sampleOf();
  const sample = new Float32Array(nSampled * genes.length);
  for (let i = 0; i < nSampled; i++) {
    for (let g = 0; g < genes.length; g++) {
      sample[i * genes.length + g] = rows[i * nGenes + genes[g]];
    }
  }
  const kept = Math.floor((0.98 * sample.length * maxEntries) / (nCells * genes.length));
  return selectValue(sample, Math.min(sample.length - 1, sample.length - kept));
}
