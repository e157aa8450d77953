import type { Matrix } from "../fields.ts";
import type { SparseRows } from "../store/sparse-rows.ts";
import type { PartReader } from "../store/views.ts";
import { smoothedRates, type SmoothedFactors } from "./smoothed-rates.ts";

/** Counts added to observed and expected before their ratio is taken, so that rare genes are left as the model has them. */
const PSEUDO_COUNT = 10;
/** Bytes of spots' counts that `rows` keeps between calls. */
const CACHE_BYTES = 512 * 1024 * 1024;

/** Inferred expression of every cell, computed when asked for: nothing dense is stored. */
export interface Rates {
  nCells: number;
  nGenes: number;
  /** Rate of one gene in every cell (expected UMIs). O(nCells · k). */
  column(gene: number): Float32Array;
  /**
   * Rates of cells from … to − 1, rows × nGenes (or × `genes.length`), row-major. O(rows · genes · k).
   * Pass the same `genes` array again to keep what was read of the spots around.
   */
  rows(from: number, to: number, genes?: Uint32Array): Float32Array;
}

/** Rates with the factors that they are computed from in memory. */
export interface HeldRates extends Rates {
  /** Memory that the factors take. */
  bytes: number;
}

/** What the rates are computed from; see the fields of step 4. */
export interface RateFactors extends SmoothedFactors {
  exposure: Matrix<Float32Array>;
  /** nSpots × nGenes. */
  spotCounts: SparseRows;
  /** nGenes × nSpots. */
  geneCounts: SparseRows;
}

/** Opens the field view cells/rate. Holds M, B and E in memory; counts are read as needed. */
export async function openRates({ read, rows }: PartReader): Promise<HeldRates> {
  return ratesFrom({
    membership: await read("cells/membership"),
    profile: await read("genes/profile"),
    exposure: await read("spots/exposure"),
    nearSpot: await read("cells/near_spot"),
    nearWeight: await read("cells/near_weight"),
    spotTotals: await read("spots/total_counts"),
    source: await read("genes/rate_source"),
    spotCounts: await rows("spots/counts"),
    geneCounts: await rows("genes/spots"),
  });
}

/**
 * λ_cg · (Σ_s w_cs y_sg + 10) / (Σ_s w_cs μ_sg + 10) with λ = MB and μ = EB: the model's rate, moved by what the spots
 * around the cell hold beyond the model. This is the posterior mean of a gamma prior of shape 10 around the model.
 * Genes whose source is not the model: see smoothed-rates.ts.
 */
export function ratesFrom(factors: RateFactors): HeldRates {
  const { membership, profile, nearSpot, spotCounts, geneCounts } = factors;
  const nCells = membership.nRows;
  const k = membership.nCols;
  const nGenes = profile.nCols;
  const width = nearSpot.nCols;

  const smoothed = smoothedRates(factors);

  function column(gene: number): Float32Array {
    const b = new Float64Array(k);
    for (let j = 0; j < k; j++) b[j] = profile.data[j * nGenes + gene];
    const { indices, data } = geneCounts.row(gene);
    const rate = new Float32Array(nCells);
    multiply(membership, b, rate, 1, 0);
    if (smoothed?.has(gene)) {
      smoothed.fillColumn(gene, { indices, data }, rate);
      return rate;
    }
    // Observed and expected counts of a spot side by side: they are always wanted together.
    const seen = new Float32Array(2 * factors.exposure.nRows);
    for (let e = 0; e < indices.length; e++) seen[2 * indices[e]] = data[e];
    multiply(factors.exposure, b, seen, 2, 1);
    const near = nearSpot.data;
    const weight = factors.nearWeight.data;
    for (let c = 0; c < nCells; c++) {
      let above = PSEUDO_COUNT;
      let below = PSEUDO_COUNT;
      for (let n = c * width; n < (c + 1) * width; n++) {
        const s = 2 * near[n];
        if (s < 0) continue;
        const w = weight[n];
        above += w * seen[s];
        below += w * seen[s + 1];
      }
      rate[c] *= above / below;
    }
    return rate;
  }

  const everyGene: Uint32Array = Uint32Array.from({ length: nGenes }, (_, g) => g);
  let chosen: GeneChoice = { genes: everyGene, profile: profile.data, position: null };
  const readSpot = spotReader(spotCounts);

  function rows(from: number, to: number, genes: Uint32Array = everyGene): Float32Array {
    if (genes !== chosen.genes) {
      chosen =
        genes === everyGene
          ? { genes, profile: profile.data, position: null }
          : chooseGenes(profile, genes);
    }
    const n = genes.length;
    const out = new Float32Array((to - from) * n);
    const above = new Float32Array(n);
    const below = new Float32Array(n);
    const exposed = new Float64Array(k);
    for (let c = from; c < to; c++) {
      const rate = out.subarray((c - from) * n, (c - from + 1) * n);
      above.fill(0);
      below.fill(PSEUDO_COUNT);
      exposed.fill(0);
      for (let i = c * width; i < (c + 1) * width; i++) {
        const s = nearSpot.data[i];
        const w = factors.nearWeight.data[i];
        if (s < 0 || w === 0) continue;
        for (let j = 0; j < k; j++) exposed[j] += w * factors.exposure.data[s * k + j];
        const { indices, data } = readSpot(s);
        for (let e = 0; e < indices.length; e++) {
          const at = chosen.position ? chosen.position[indices[e]] : indices[e];
          if (at >= 0) above[at] += w * data[e];
        }
      }
      for (let j = 0; j < k; j++) {
        const m = membership.data[c * k + j];
        const b = chosen.profile.subarray(j * n, (j + 1) * n);
        // Shares this small cannot be seen in float32 sums.
        if (m > 1e-7) for (let g = 0; g < n; g++) rate[g] += m * b[g];
        const e = exposed[j];
        if (e > 1e-7) for (let g = 0; g < n; g++) below[g] += e * b[g];
      }
      for (let g = 0; g < n; g++) rate[g] *= (above[g] + PSEUDO_COUNT) / below[g];
      smoothed?.fillRow(c, above, rate, { ...chosen, placeOf: chosen.position, readSpot });
    }
    return out;
  }

  const { exposure, nearWeight } = factors;
  const bytes = [membership, profile, exposure, nearSpot, nearWeight].reduce(
    (sum, { data }) => sum + data.byteLength,
    0,
  );
  return { nCells, nGenes, bytes, column, rows };
}

/** Some genes of the profiles, k × genes.length, and where each gene stands among them (−1: nowhere). */
interface GeneChoice {
  genes: Uint32Array;
  profile: Float32Array;
  /** null = every gene stands where it stood. */
  position: Int32Array | null;
}

function chooseGenes(profile: Matrix<Float32Array>, genes: Uint32Array): GeneChoice {
  const { nRows: k, nCols: nGenes, data } = profile;
  const position = new Int32Array(nGenes).fill(-1);
  const part = new Float32Array(k * genes.length);
  genes.forEach((gene, at) => {
    position[gene] = at;
    for (let j = 0; j < k; j++) part[j * genes.length + at] = data[j * nGenes + gene];
  });
  return { genes, profile: part, position };
}

/**
 * Matrix times b, into every `stride`-th place of `out` from `first` on. Four rows at a time: their sums do not wait for
 * each other, which takes two thirds of the time of one row after the other.
 */
function multiply(
  { nRows, nCols, data }: Matrix<Float32Array>,
  b: Float64Array,
  out: Float32Array,
  stride: number,
  first: number,
): void {
  const whole = nRows - (nRows % 4);
  for (let row = 0; row < whole; row += 4) {
    const at = row * nCols;
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    for (let j = 0; j < nCols; j++) {
      const x = b[j];
      s0 += data[at + j] * x;
      s1 += data[at + nCols + j] * x;
      s2 += data[at + 2 * nCols + j] * x;
      s3 += data[at + 3 * nCols + j] * x;
    }
    const place = stride * row + first;
    out[place] = s0;
    out[place + stride] = s1;
    out[place + 2 * stride] = s2;
    out[place + 3 * stride] = s3;
  }
  for (let row = whole; row < nRows; row++) {
    let sum = 0;
    for (let j = 0; j < nCols; j++) sum += data[row * nCols + j] * b[j];
    out[stride * row + first] = sum;
  }
}

/** Rows of spots, the latest of them kept. */
function spotReader(rows: SparseRows): SparseRows["row"] {
  const kept = new Map<number, ReturnType<SparseRows["row"]>>();
  let bytes = 0;
  return (s) => {
    const known = kept.get(s);
    if (known) return known;
    const row = rows.row(s);
    bytes += 8 * row.indices.length;
    while (bytes > CACHE_BYTES && kept.size > 0) {
      const [oldest, { indices }] = kept.entries().next().value!;
      bytes -= 8 * indices.length;
      kept.delete(oldest);
    }
    kept.set(s, row);
    return row;
  };
}
