import { Random } from "@stipple/numerics/random";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { Noise } from "../anatomy/noise.ts";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissuePlan } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import type { Gene } from "./genes.ts";

/** Shape of the gamma distribution of RNA amounts among cells of a kind. */
export const LIBRARY_SHAPE = 5;
/** Length scale of the programs, µm. */
export const PROGRAM_UM = 170;

/**
 * Noise-free rate of every gene in every cell (cells × genes, expected counts of a fully captured cell): amount
 * of RNA (kind × gamma) × profile of the kind × domain effect × program. Not yet scaled to a depth.
 */
export function expressionRates(
  plan: TissuePlan,
  genes: readonly Gene[],
  cells: Cells,
  options: TissueOptions,
): Matrix<Float32Array> {
  const random = new Random(options.seed + 8 * 2 ** 32);
  const profiles = kindProfiles(plan, genes, random);
  const domains = domainEffects(plan, genes, random);
  const nGenes = genes.length;
  const fields = plan.programs.map((_program, index) => new Noise(options.seed, 40 + index));
  const data = new Float32Array(cells.count * nGenes);
  for (let cell = 0; cell < cells.count; cell++) {
    const kind = cells.kind[cell];
    const library = (plan.kinds[kind].rna * random.gamma(LIBRARY_SHAPE)) / LIBRARY_SHAPE;
    const factors = plan.programs.map((program, index) =>
      Math.exp(
        2 *
          program.amplitude *
          fields[index].fractal(cells.x[cell] / PROGRAM_UM, cells.y[cell] / PROGRAM_UM, 2),
      ),
    );
    const mitochondrial = Math.exp(0.3 * random.normal());
    const profile = profiles[kind];
    const domain = domains[cells.domain[cell]];
    for (let gene = 0; gene < nGenes; gene++) {
      const { program, role } = genes[gene];
      let rate = library * profile[gene] * domain[gene];
      if (program >= 0) rate *= factors[program];
      if (role === "mitochondrial") rate *= mitochondrial;
      data[cell * nGenes + gene] = rate;
    }
  }
  return { nRows: cells.count, nCols: nGenes, data };
}

/** Each gene's share of a cell's RNA, for each kind; sums to 1 per kind. */
function kindProfiles(plan: TissuePlan, genes: readonly Gene[], random: Random): Float64Array[] {
  const level = genes.map(({ role }) => {
    const spread = Math.exp(0.8 * random.normal());
    switch (role) {
      case "marker":
        return 0.9 * spread;
      case "mitochondrial":
        return 9 * Math.exp(0.4 * random.normal());
      case "variable":
      case "program":
        return 1.1 * spread;
      case "housekeeping":
        return 0.9 * spread;
    }
  });
  return plan.kinds.map((_kind, k) => {
    const profile = Float64Array.from(genes, (gene, g) => {
      switch (gene.role) {
        case "marker":
          // A marker of several kinds has a different level in each; other kinds have traces of it.
          return (
            level[g]! *
            (gene.markerOf.includes(k)
              ? 5 * Math.exp(0.35 * random.normal())
              : 0.06 * Math.exp(0.6 * random.normal()))
          );
        case "variable":
          return level[g]! * Math.exp(0.75 * random.normal());
        case "program":
          return level[g]! * Math.exp(0.4 * random.normal());
        default:
          return level[g]! * Math.exp(0.12 * random.normal());
      }
    });
    const total = profile.reduce((sum, value) => sum + value, 0);
    return profile.map((value) => value / total);
  });
}

function domainEffects(plan: TissuePlan, genes: readonly Gene[], random: Random): Float64Array[] {
  return plan.domains.map(() =>
    Float64Array.from(genes, ({ role }) => {
      const sigma = role === "variable" ? 0.4 : role === "marker" ? 0.2 : 0.08;
      return Math.exp(sigma * random.normal());
    }),
  );
}

/**
 * Sum of the expected counts of the selected spots, before any scaling. O(nnz of the capture + cells × genes).
 */
export function expectedTotal(
  capture: SparseMatrix,
  rates: Matrix<Float32Array>,
  chosen: (spot: number) => boolean,
): number {
  const { nCols } = rates;
  const cellTotals = new Float64Array(rates.nRows);
  for (let i = 0; i < rates.data.length; i++) cellTotals[Math.floor(i / nCols)] += rates.data[i];
  let total = 0;
  for (let spot = 0; spot < capture.nRows; spot++) {
    if (!chosen(spot)) continue;
    for (let k = capture.indptr[spot]; k < capture.indptr[spot + 1]; k++) {
      total += capture.data[k] * cellTotals[capture.indices[k]];
    }
  }
  return total;
}

/** Counts with smaller means are practically Poisson, regardless of other noise. */
const PLAIN_BELOW = 0.05;

/**
 * Poisson counts of every spot, with means capture × rates; with `noise`, each mean is multiplied by a gamma
 * variable with that squared coefficient of variation. One row of means in memory. O(nnz of capture × genes).
 */
export function spotCounts(
  capture: SparseMatrix,
  rates: Matrix<Float32Array>,
  random: Random,
  noise = 0,
): SparseMatrix {
  const nGenes = rates.nCols;
  const means = new Float64Array(nGenes);
  const counts = new SparseRows(nGenes);
  for (let spot = 0; spot < capture.nRows; spot++) {
    means.fill(0);
    for (let k = capture.indptr[spot]; k < capture.indptr[spot + 1]; k++) {
      const weight = capture.data[k];
      const at = capture.indices[k] * nGenes;
      for (let gene = 0; gene < nGenes; gene++) means[gene] += weight * rates.data[at + gene];
    }
    if (noise > 0) {
      for (let gene = 0; gene < nGenes; gene++) {
        if (means[gene] >= PLAIN_BELOW) means[gene] *= random.gamma(1 / noise) * noise;
      }
    }
    counts.drawRow(means, random);
  }
  return counts.finish();
}

/** Poisson counts of every cell, with the rates as means. */
export function cellCounts(rates: Matrix<Float32Array>, random: Random): SparseMatrix {
  const counts = new SparseRows(rates.nCols);
  for (let cell = 0; cell < rates.nRows; cell++) {
    counts.drawRow(rates.data.subarray(cell * rates.nCols, (cell + 1) * rates.nCols), random);
  }
  return counts.finish();
}

/** Builds a sparse matrix row by row in typed arrays that double in size when full. */
class SparseRows {
  readonly #nCols: number;
  readonly #ends: number[] = [0];
  #indices = new Uint32Array(1 << 16);
  #data = new Float32Array(1 << 16);
  #used = 0;

  constructor(nCols: number) {
    this.#nCols = nCols;
  }

  drawRow(means: Float32Array | Float64Array, random: Random): void {
    if (this.#used + means.length > this.#indices.length) {
      const indices = new Uint32Array(this.#indices.length * 2);
      indices.set(this.#indices);
      this.#indices = indices;
      const data = new Float32Array(indices.length);
      data.set(this.#data);
      this.#data = data;
    }
    for (let column = 0; column < means.length; column++) {
      const count = means[column] > 0 ? random.poisson(means[column]) : 0;
      if (count === 0) continue;
      this.#indices[this.#used] = column;
      this.#data[this.#used++] = count;
    }
    this.#ends.push(this.#used);
  }

  finish(): SparseMatrix {
    return {
      nRows: this.#ends.length - 1,
      nCols: this.#nCols,
      indptr: Uint32Array.from(this.#ends),
      indices: this.#indices.slice(0, this.#used),
      data: this.#data.slice(0, this.#used),
    };
  }
}
