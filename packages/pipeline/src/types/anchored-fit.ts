import type { SparseMatrix } from "@stipple/numerics/matrices";
import { openAdam } from "@stipple/numerics/adam";
import { multiplyDense, rowSums } from "@stipple/numerics/sparse";
import { openGateKernel, throughSoftmax } from "../model/gate-kernel.ts";
import { multiplyColumn } from "../model/gene-column.ts";
import { openProductSums, type ProductSums } from "../model/product-sums.ts";
import type { Gate } from "../model/prototypes.ts";
import { LEVELS, TYPE_FIT } from "../model/constants.ts";
import { GUARDS, ROUNDS } from "../model/limits.ts";

const { DISPERSION } = LEVELS;
const { LEARNING_RATE, ANCHOR_CELLS, DECAY, TOTAL_UMIS } = TYPE_FIT;
const { MIN_EXPOSURE, MIN_RATE, FREE_PRIOR_CELLS } = GUARDS;

/** Spots and the cells that they capture, for the marker genes. */
export interface AnchoredData {
  /** diag(e)A, nSpots × nCells. */
  overlap: SparseMatrix;
  /** Its transpose. */
  reached: SparseMatrix;
  /** nSpots × nGenes. */
  counts: Float32Array;
  nGenes: number;
  /** Features of the cells, nCells × P, the first column all ones. */
  phi: { data: Float32Array; nCols: number };
  /** Number of features, right after the column of ones, that describe the cell's own look. */
  nLooks: number;
  /** Strength of each feature's shrinkage, relative to {@link DECAY}. */
  penalty: ArrayLike<number>;
}

/** Rates expected a priori, in any unit: nTypes × nGenes. */
export interface Anchors {
  nTypes: number;
  data: Float64Array;
}

export interface AnchoredModel {
  /** Types of cells: softmax(φ · weights). */
  gate: Gate;
  /** Rates of types, nTypes × nGenes. */
  profile: Float64Array;
}

/**
 * Estimates types of cells and rates of types from spots alone: y_sg ~ e_s Σ_c A_sc Σ_t π_ct B_tg, π = softmax(φW).
 * Each step refits B by expectation–maximization with a gamma prior around the anchors (scaled to the mean count of
 * each gene) and moves W along the gradient of the likelihood with Adam (Kingma & Ba 2015) under a prior around its
 * starting values. Counts are weighted by 1/(1 + 0.3 μ), because their variance exceeds Poisson noise, and e_s follows
 * the spot's total: RNA content varies between cells and some cells were not detected, so totals carry little
 * information on types. Anchors identify the types; without them, types could swap. O(steps · (nCells · P · nTypes +
 * nSpots · nGenes · nTypes)).
 */
export async function fitAnchored(
  data: AnchoredData,
  anchors: Anchors,
  options: {
    steps: number;
    /** Whether anchors are measured profiles: rates then keep their ratios, and only a factor of each gene is fitted. */
    measured?: boolean | undefined;
    /** Starting weights, which are also the center of the prior; equal types if omitted. */
    start?: Float64Array<ArrayBuffer> | undefined;
    pause?: ((step: number) => Promise<void>) | undefined;
  },
): Promise<AnchoredModel> {
  const { phi, nGenes } = data;
  const k = anchors.nTypes;
  const kernel = await openGateKernel(phi, k);
  const start = options.start ?? new Float64Array(phi.nCols * k);
  const weights = start.slice();
  const fit = new ProfileFit(data, k);
  const ofCells = new Float32Array(data.reached.nRows * k);
  const climb = openAdam(weights, LEARNING_RATE);
  const profile = new Float64Array(k * nGenes);
  const decay = DECAY * fit.information();
  for (let step = 0; step < options.steps; step++) {
    await options.pause?.(step);
    const members = await kernel.membership(weights);
    fit.expose(members);
    const expected = options.measured ? null : fit.scaled(anchors.data, members);
    if (step === 0) profile.set(expected ?? fit.scaled(anchors.data, members));
    for (let round = 0; round < ROUNDS.TYPE_PROFILES; round++) {
      if (expected) fit.improve(profile, expected);
      else fit.scaleGenes(profile);
    }
    const slopes = multiplyDense(data.reached, fit.slopes(profile), k, ofCells);
    const gradient = await kernel.gradient(throughSoftmax(members, slopes, k));
    climb((i) => gradient[i] - decay * data.penalty[Math.floor(i / k)] * (weights[i] - start[i]));
  }
  return { gate: { weights, k }, profile };
}

/**
 * Estimates rates of groups of cells from the spots without anchors, for fixed memberships (nCells × k), to check types
 * that the anchors merely assume. Starts from `start` if given, otherwise from the mean. k × nGenes.
 */
export function unanchoredProfile(
  data: AnchoredData,
  members: Float32Array,
  k: number,
  start?: Float64Array,
): Float64Array {
  const fit = new ProfileFit(data, k);
  fit.expose(members);
  const mean = Float64Array.from({ length: k * data.nGenes }, (_, i) => fit.mean[i % data.nGenes]);
  const free = mean.map((usual, i) => (start ? Math.max(start[i], MIN_RATE * usual) : usual));
  for (let round = 0; round < ROUNDS.FREE; round++) fit.improve(free, mean, FREE_PRIOR_CELLS);
  return free;
}

/** Expectation–maximization of profiles for a given exposure of spots to types, with scratch space. */
class ProfileFit {
  /** Mean rate of each gene in a captured cell. */
  readonly mean: Float64Array;
  readonly #data: AnchoredData;
  readonly #k: number;
  readonly #captured: Float64Array;
  /** Genes counted in each spot; those of spot s begin at starts[s]. */
  readonly #counted: { starts: Uint32Array; genes: Uint32Array };
  readonly #exposure: Float32Array<ArrayBuffer>;
  readonly #products: ProductSums<Float64Array>;
  /** Rates of the types, and after them the weights of a spot's genes and their weighted counts in units of the mean. */
  readonly #rows: Float64Array;
  readonly #rowLength: number;
  /** Means of a spot's genes; Σ exposure · weight and Σ exposure · pull over the spots, both nTypes × nGenes. */
  readonly #mu: Float64Array;
  readonly #mass: Float64Array;
  readonly #gain: Float64Array;
  /** What is added up: rows, and the exposure to each. */
  readonly #added: { rows: Uint32Array; exposures: Float64Array };

  constructor(data: AnchoredData, k: number) {
    this.#data = data;
    this.#k = k;
    const { overlap, counts, nGenes } = data;
    this.#exposure = new Float32Array(overlap.nRows * k);
    this.#captured = rowSums(overlap);
    this.mean = new Float64Array(nGenes);
    let captured = 0;
    for (let s = 0; s < overlap.nRows; s++) {
      captured += this.#captured[s];
      for (let g = 0; g < nGenes; g++) this.mean[g] += counts[s * nGenes + g];
    }
    for (let g = 0; g < nGenes; g++) this.mean[g] /= Math.max(1e-9, captured);
    this.#counted = countedGenes(counts, nGenes);
    this.#products = openProductSums(k + 2, Float64Array);
    const { sums, rows, rowLength } = this.#products.reserve(1 + 2 * k, nGenes);
    this.#rows = rows;
    this.#rowLength = rowLength;
    this.#mu = sums.subarray(0, nGenes);
    this.#mass = sums.subarray(nGenes, (1 + k) * nGenes);
    this.#gain = sums.subarray((1 + k) * nGenes);
    this.#added = { rows: new Uint32Array(k), exposures: new Float64Array(k) };
  }

  /** Σ over genes of between-spot variance beyond noise: about twice the possible log-likelihood gain per spot. */
  information(): number {
    const { counts, nGenes } = this.#data;
    const nSpots = this.#captured.length;
    let total = 0;
    for (let g = 0; g < nGenes; g++) {
      let sum = 0;
      for (let s = 0; s < nSpots; s++) {
        const mu = this.#captured[s] * this.mean[g];
        if (mu > 0) sum += (counts[s * nGenes + g] - mu) ** 2 / (mu * (1 + DISPERSION * mu));
      }
      total += Math.max(0, sum / Math.max(1, nSpots) - 1);
    }
    return total;
  }

  expose(members: Float32Array): void {
    multiplyDense(this.#data.overlap, members, this.#k, this.#exposure);
  }

  /** The anchors, scaled per gene so that averaging over the cells' types gives the gene's mean rate. */
  scaled(anchors: Float64Array, members: Float32Array): Float64Array {
    const { nGenes } = this.#data;
    const k = this.#k;
    const shares = new Float64Array(k);
    for (let at = 0; at < members.length; at += k) {
      for (let t = 0; t < k; t++) shares[t] += members[at + t];
    }
    const nCells = members.length / k;
    const level = new Float64Array(nGenes);
    for (let t = 0, i = 0; t < k; t++) {
      const share = shares[t] / nCells;
      for (let g = 0; g < nGenes; g++, i++) level[g] += share * anchors[i];
    }
    const scaled = new Float64Array(anchors.length);
    for (let t = 0, i = 0; t < k; t++) {
      for (let g = 0; g < nGenes; g++, i++) {
        scaled[i] = (anchors[i] * this.mean[g]) / Math.max(1e-12, level[g]);
      }
    }
    return scaled;
  }

  /** One round: B ← (B ∘ Eᵀ(wY/EB) + c·prior) / (Eᵀw + c), w = 1/(1 + 0.3 μ). Modifies `profile`. */
  improve(profile: Float64Array, prior: Float64Array, cells = ANCHOR_CELLS): void {
    this.#sumUp(profile);
    const [mass, gain] = [this.#mass, this.#gain];
    for (let i = 0; i < profile.length; i++) {
      profile[i] = (profile[i] * gain[i] + cells * prior[i]) / (mass[i] + cells);
    }
  }

  /** One round for rates whose ratios between types are known: B_tg ← B_tg Σ_t B_tg gain_tg / Σ_t B_tg mass_tg. */
  scaleGenes(profile: Float64Array): void {
    const { nGenes } = this.#data;
    this.#sumUp(profile);
    const [counted, expected] = [new Float64Array(nGenes), new Float64Array(nGenes)];
    for (let i = 0; i < profile.length; i++) {
      counted[i % nGenes] += profile[i] * this.#gain[i];
      expected[i % nGenes] += profile[i] * this.#mass[i];
    }
    for (let i = 0; i < profile.length; i++) {
      const g = i % nGenes;
      if (expected[g] > 0) profile[i] *= counted[g] / expected[g];
    }
  }

  /** Fills the sums with each type's weighted exposure of the spots (mass) and the counts relative to their means (gain). */
  #sumUp(profile: Float64Array): void {
    const { counts, nGenes } = this.#data;
    const k = this.#k;
    const { starts, genes } = this.#counted;
    const mu = this.#mu;
    const [weightAt, pullAt] = [k * this.#rowLength, (k + 1) * this.#rowLength];
    const weight = this.#rows.subarray(weightAt, weightAt + nGenes);
    const pull = this.#rows.subarray(pullAt, pullAt + nGenes);
    this.#mass.fill(0);
    this.#gain.fill(0);
    this.#take(profile);
    for (let s = 0; s < this.#captured.length; s++) {
      const exposure = this.#exposure.subarray(s * k, (s + 1) * k);
      this.#predict(exposure);
      const efficiency = this.#efficiency(s);
      for (let g = 0; g < nGenes; g++) {
        mu[g] = efficiency * mu[g] + 1e-9;
        weight[g] = 1 / (1 + DISPERSION * mu[g]);
      }
      pull.fill(0);
      for (let n = starts[s]; n < starts[s + 1]; n++) {
        const g = genes[n];
        pull[g] = (weight[g] * counts[s * nGenes + g]) / mu[g];
      }
      const { rows, exposures } = this.#added;
      for (let t = 0; t < k; t++) {
        exposures[0] = efficiency * exposure[t];
        if (exposures[0] < MIN_EXPOSURE) continue;
        rows[0] = k;
        this.#products.add(1 + t, rows, exposures, 0, 1);
        rows[0] = k + 1;
        this.#products.add(1 + k + t, rows, exposures, 0, 1);
      }
    }
  }

  /** Fills the means of a spot's genes. */
  #predict(exposure: Float32Array): void {
    const { rows, exposures } = this.#added;
    let n = 0;
    for (let t = 0; t < exposure.length; t++) {
      if (exposure[t] < MIN_EXPOSURE) continue;
      rows[n] = t;
      exposures[n++] = exposure[t];
    }
    this.#mu.fill(0);
    this.#products.add(0, rows, exposures, 0, n);
  }

  /** Derivative of the weighted log-likelihood with respect to one cell of each type in each spot, nSpots × k. */
  slopes(profile: Float64Array): Float32Array {
    const { counts, nGenes } = this.#data;
    const k = this.#k;
    const nSpots = this.#captured.length;
    const out = new Float32Array(nSpots * k);
    const mu = this.#mu;
    this.#take(profile);
    for (let s = 0; s < nSpots; s++) {
      this.#predict(this.#exposure.subarray(s * k, (s + 1) * k));
      const efficiency = this.#efficiency(s);
      for (let g = 0; g < nGenes; g++) {
        const expected = efficiency * mu[g] + 1e-9;
        mu[g] =
          (efficiency * (counts[s * nGenes + g] / expected - 1)) / (1 + DISPERSION * expected);
      }
      multiplyColumn(profile, mu, out.subarray(s * k, (s + 1) * k));
    }
    return out;
  }

  /** Ratio of a spot's observed to expected total over all genes, given the means in the scratch space. */
  #efficiency(s: number): number {
    const { counts, nGenes } = this.#data;
    const mu = this.#mu;
    let [counted, expected] = [TOTAL_UMIS, TOTAL_UMIS];
    for (let g = 0; g < nGenes; g++) {
      const weight = 1 / (1 + DISPERSION * mu[g]);
      counted += weight * counts[s * nGenes + g];
      expected += weight * mu[g];
    }
    return counted / expected;
  }

  /** Copies the rates to the rows. */
  #take(profile: Float64Array): void {
    const { nGenes } = this.#data;
    for (let t = 0; t < this.#k; t++) {
      this.#rows.set(profile.subarray(t * nGenes, (t + 1) * nGenes), t * this.#rowLength);
    }
  }
}

function countedGenes(
  counts: Float32Array,
  nGenes: number,
): { starts: Uint32Array; genes: Uint32Array } {
  const nSpots = counts.length / nGenes;
  const starts = new Uint32Array(nSpots + 1);
  const genes = new Uint32Array(counts.reduce((n, count) => n + (count > 0 ? 1 : 0), 0));
  for (let s = 0, n = 0; s < nSpots; s++) {
    for (let g = 0; g < nGenes; g++) if (counts[s * nGenes + g] > 0) genes[n++] = g;
    starts[s + 1] = n;
  }
  return { starts, genes };
}
