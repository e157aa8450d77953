import type { SparseMatrix } from "../../fields.ts";
import { Random } from "../../numerics/random.ts";

export interface Allocation {
  /** nCells × nGenes, integers. */
  counts: SparseMatrix;
  /** Observed counts of each gene that reached no cell. */
  unassigned: Float64Array;
}

export interface AllocationModel {
  /** nSpots × nCells: capture weights; entries of cells that may not receive counts must be absent. */
  overlap: SparseMatrix;
  /** M, nCells × k. */
  membership: Float32Array;
  /** B, k × nGenes. */
  profile: Float32Array;
  k: number;
}

/**
 * Gives every observed UMI of a spot to one of the spot's cells with probability A_sc λ_cg / Σ A_sc' λ_c'g, λ = MB:
 * a multinomial draw a spot and gene, so that for every gene the cells' counts plus `unassigned` equal the spots' counts
 * exactly. λ being a mixture, the draw goes by prototype first (∝ Σ_c A_sc M_ck · B_kg) and then by cell
 * (∝ A_sc M_ck, whatever the gene): O(k + log cells) a UMI instead of O(cells · k).
 * Each spot draws from its own generator seeded by (seed, spot): the order of work does not matter.
 * Two passes (count, fill), so that nothing but the result is held.
 */
export async function allocateCounts(
  spots: SparseMatrix,
  model: AllocationModel,
  options: { seed: number; progress?: (fraction: number) => void; pause?: () => Promise<void> },
): Promise<Allocation> {
  const nCells = model.overlap.nCols;
  const nGenes = spots.nCols;
  const unassigned = new Float64Array(nGenes);
  const lengths = new Uint32Array(nCells + 1);
  await walk(spots, model, options.seed, {
    cell: (cell) => (lengths[cell + 1] += 1),
    none: (gene, count) => (unassigned[gene] += count),
    spot: (s) => {
      options.progress?.((0.5 * s) / spots.nRows);
      return options.pause?.() ?? Promise.resolve();
    },
  });
  for (let c = 0; c < nCells; c++) lengths[c + 1] += lengths[c];
  const next = lengths.slice(0, nCells);
  const genes = new Uint32Array(lengths[nCells]);
  const values = new Float32Array(lengths[nCells]);
  await walk(spots, model, options.seed, {
    cell: (cell, gene, count) => {
      const at = next[cell]++;
      genes[at] = gene;
      values[at] = count;
    },
    none: () => undefined,
    spot: (s) => {
      options.progress?.(0.5 + (0.5 * s) / spots.nRows);
      return options.pause?.() ?? Promise.resolve();
    },
  });
  return { counts: mergeRows(nCells, nGenes, lengths, genes, values), unassigned };
}

interface Sink {
  cell(cell: number, gene: number, count: number): void;
  none(gene: number, count: number): void;
  spot(spot: number): Promise<void>;
}

/** Draws every spot's counts in order and hands each non-zero (cell, gene, count) to the sink. */
async function walk(
  spots: SparseMatrix,
  model: AllocationModel,
  seed: number,
  sink: Sink,
): Promise<void> {
  const { overlap, membership, profile, k } = model;
  const nGenes = spots.nCols;
  const weight = new Float64Array(k);
  for (let s = 0; s < spots.nRows; s++) {
    if (s % 64 === 0) await sink.spot(s);
    const first = overlap.indptr[s];
    const n = overlap.indptr[s + 1] - first;
    // cumulative[j][i]: weight of prototype j up to and including the spot's i-th cell.
    const cumulative = new Float64Array(k * n);
    let reachable = 0;
    for (let i = 0; i < n; i++) {
      const at = overlap.indices[first + i] * k;
      const a = overlap.data[first + i];
      for (let j = 0; j < k; j++) {
        cumulative[j * n + i] = (i > 0 ? cumulative[j * n + i - 1] : 0) + a * membership[at + j];
      }
      reachable += a;
    }
    const random = new Random((seed % 2 ** 20) * 2 ** 32 + s);
    const drawn = new Uint32Array(n);
    const touched: number[] = [];
    for (let e = spots.indptr[s]; e < spots.indptr[s + 1]; e++) {
      const gene = spots.indices[e];
      const count = spots.data[e];
      if (!(reachable > 0)) {
        sink.none(gene, count);
        continue;
      }
      let total = 0;
      for (let j = 0; j < k; j++) {
        total += cumulative[j * n + n - 1] * profile[j * nGenes + gene];
        weight[j] = total;
      }
      // A gene that the model gives no rate here (all its counts lie elsewhere): share by capture alone.
      if (!(total > 0)) {
        for (let j = 0; j < k; j++) {
          total += cumulative[j * n + n - 1];
          weight[j] = total;
        }
      }
      for (let u = 0; u < count; u++) {
        const j = firstAbove(weight, 0, k, random.uniform() * total);
        const end = cumulative[j * n + n - 1];
        const i = firstAbove(cumulative, j * n, n, random.uniform() * end);
        if (drawn[i] === 0) touched.push(i);
        drawn[i] += 1;
      }
      for (const i of touched) {
        sink.cell(overlap.indices[first + i], gene, drawn[i]);
        drawn[i] = 0;
      }
      touched.length = 0;
    }
  }
}

/** Offset of the first of `length` ascending values from `start` that exceeds `target`; the last one when none does. */
function firstAbove(values: Float64Array, start: number, length: number, target: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[start + middle] > target) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sorts each row by gene and adds up genes that several spots gave to the same cell. */
function mergeRows(
  nRows: number,
  nCols: number,
  starts: Uint32Array,
  genes: Uint32Array,
  values: Float32Array,
): SparseMatrix {
  const indptr = new Uint32Array(nRows + 1);
  const sum = new Float64Array(nCols);
  let to = 0;
  for (let i = 0; i < nRows; i++) {
    const row = genes.subarray(starts[i], starts[i + 1]);
    for (let e = 0; e < row.length; e++) sum[row[e]] += values[starts[i] + e];
    row.sort();
    let last = -1;
    // `to` never overtakes the row being read, so the result is built in place.
    for (let e = 0; e < row.length; e++) {
      const gene = row[e];
      if (gene === last) continue;
      last = gene;
      genes[to] = gene;
      values[to++] = sum[gene];
      sum[gene] = 0;
    }
    indptr[i + 1] = to;
  }
  return { nRows, nCols, indptr, indices: genes.slice(0, to), data: values.slice(0, to) };
}

/** The overlap matrix without the cells for which `keep` is 0. */
export function keepCells(overlap: SparseMatrix, keep: Uint8Array): SparseMatrix {
  const indptr = new Uint32Array(overlap.nRows + 1);
  const indices = new Uint32Array(overlap.indices.length);
  const data = new Float32Array(overlap.data.length);
  let to = 0;
  for (let s = 0; s < overlap.nRows; s++) {
    for (let e = overlap.indptr[s]; e < overlap.indptr[s + 1]; e++) {
      if (keep[overlap.indices[e]] === 0 || !(overlap.data[e] > 0)) continue;
      indices[to] = overlap.indices[e];
      data[to++] = overlap.data[e];
    }
    indptr[s + 1] = to;
  }
  return { ...overlap, indptr, indices: indices.slice(0, to), data: data.slice(0, to) };
}
