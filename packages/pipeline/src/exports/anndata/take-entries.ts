import { log1pOf } from "@stipple/numerics/log1p";

/** Entries of one cell. */
export interface CellEntries {
  n: number;
  /** Positions among the genes, ascending. */
  indices: Int32Array;
  rates: Float32Array;
  normalized: Float32Array;
}

/** Room for the entries of a cell with this many genes. */
export function entryBuffers(nGenes: number): CellEntries {
  return {
    n: 0,
    // One more, because the place behind the last entry is written before it is known whether it is kept.
    indices: new Int32Array(nGenes + 1),
    rates: new Float32Array(nGenes + 1),
    normalized: new Float32Array(nGenes + 1),
  };
}

// Each loop handles one cell and is called constantly, so that V8 keeps its compiled code (decision 71). Entries are
// written before it is known whether they are kept, since the processor cannot predict which ones are.

/** Sum of the first n values as four sums side by side, of every fourth value each. */
export function sumOf(values: Float32Array, n = values.length): number {
  const whole = n - (n % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += values[i];
    b += values[i + 1];
    c += values[i + 2];
    d += values[i + 3];
  }
  for (let i = whole; i < n; i++) a += values[i];
  return a + b + (c + d);
}

/** Takes the rates of a row that are at least `least` into `to`. */
export function takeRow(row: Float32Array, least: number, to: CellEntries): void {
  const { indices, rates } = to;
  let n = 0;
  for (let gene = 0; gene < row.length; gene++) {
    const rate = row[gene];
    indices[n] = gene;
    rates[n] = rate;
    n += rate >= least ? 1 : 0;
  }
  to.n = n;
}

/** Takes them from other entries, with X if wanted. */
export function takeFrom(from: CellEntries, least: number, to: CellEntries, withX: boolean): void {
  const { indices, rates, normalized } = to;
  let n = 0;
  for (let i = 0; i < from.n; i++) {
    const rate = from.rates[i];
    indices[n] = from.indices[i];
    rates[n] = rate;
    if (withX) normalized[n] = from.normalized[i];
    n += rate >= least ? 1 : 0;
  }
  to.n = n;
}

/** X of the entries: log1p of rate · factor. */
export function normalize({ n, rates, normalized }: CellEntries, factor: number): void {
  for (let i = 0; i < n; i++) normalized[i] = log1pOf(rates[i] * factor);
}
