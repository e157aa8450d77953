import type { Matrix } from "@stipple/numerics/matrices";
import { pauses } from "../spatial-statistics/work.ts";
import type { Surroundings } from "./surroundings.ts";

/** Observations of each cell: its type and its membership in the expression model's prototypes. */
export interface Observations {
  typeOf: Int32Array;
  nTypes: number;
  /** n × prototypes, rows sum to 1. */
  membership: Matrix<Float32Array>;
}

export interface DomainField {
  domainOf: Int32Array;
  /** Mean log likelihood per cell, given the domains around it. */
  likelihood: number;
  /** Number of free parameters in the domain compositions. */
  parameters: number;
}

const ROUNDS = 15;
/** How strongly a cell follows its neighbors, in log likelihood per neighbor of weight 1. */
const PULL = 1;
/** Type and membership carry the same information, so each gets half the weight. */
const SHARE = 0.5;
/** Pseudo-cells of each type in each domain. */
const PRIOR = 1;

/**
 * Finds domains as a hidden Markov random field (Zhang, Brady & Smith 2001) with a mean-field approximation:
 * domain k has a composition of types and prototypes; log P(k | cell i) = log P(observations of i | k) + Σ_j
 * w_ij P(k | cell j) + constant. Alternates these with updates of the compositions. `start` gives an initial
 * domain (0 … k − 1) for each cell. O(rounds · n · k · (neighbors + prototypes)).
 */
export async function domainField(
  around: Surroundings,
  observations: Observations,
  start: Int32Array,
  k: number,
  signal: AbortSignal,
): Promise<DomainField> {
  const { n } = around;
  const pause = pauses({ signal });
  let belief = new Float32Array(n * k).fill(0.2 / k);
  start.forEach((domain, i) => (belief[i * k + domain] += 0.8));
  const { typeOf, nTypes, membership } = observations;
  const nPrototypes = membership.nCols;
  let likelihood = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { types, prototypes } = compositions(belief, observations, k);
    const next = new Float32Array(n * k);
    const pull = new Float64Array(k);
    const log = new Float64Array(k);
    likelihood = 0;
    for (let i = 0; i < n; i++) {
      if (i % 1024 === 0) await pause();
      pull.fill(0);
      for (let e = around.offsets[i]; e < around.offsets[i + 1]; e++) {
        const weight = PULL * around.narrow[e];
        const from = around.cells[e] * k;
        for (let d = 0; d < k; d++) pull[d] += weight * belief[from + d];
      }
      for (let d = 0; d < k; d++) {
        let seen = typeOf[i] >= 0 ? types[d * nTypes + typeOf[i]] : 0;
        for (let p = 0; p < nPrototypes; p++) {
          const share = membership.data[i * nPrototypes + p];
          if (share > 1e-3) seen += share * prototypes[d * nPrototypes + p];
        }
        log[d] = pull[d] + SHARE * seen;
      }
      const total = logSum(log);
      likelihood += total - logSum(pull);
      for (let d = 0; d < k; d++) next[i * k + d] = Math.exp(log[d] - total);
    }
    belief = next;
  }
  return {
    domainOf: Int32Array.from({ length: n }, (_, i) => highest(belief, i * k, k)),
    likelihood: likelihood / Math.max(1, n),
    parameters: k * (nTypes + nPrototypes),
  };
}

/** Log shares of types and of prototypes in each domain. */
function compositions(
  belief: Float32Array,
  { typeOf, nTypes, membership }: Observations,
  k: number,
): { types: Float64Array; prototypes: Float64Array } {
  const nPrototypes = membership.nCols;
  const types = new Float64Array(k * nTypes).fill(PRIOR);
  const prototypes = new Float64Array(k * nPrototypes).fill(PRIOR);
  for (let i = 0; i < typeOf.length; i++) {
    for (let d = 0; d < k; d++) {
      const share = belief[i * k + d];
      if (share < 1e-3) continue;
      if (typeOf[i] >= 0) types[d * nTypes + typeOf[i]] += share;
      for (let p = 0; p < nPrototypes; p++) {
        prototypes[d * nPrototypes + p] += share * membership.data[i * nPrototypes + p];
      }
    }
  }
  return { types: logShares(types, nTypes), prototypes: logShares(prototypes, nPrototypes) };
}

function logShares(counts: Float64Array, width: number): Float64Array {
  const logs = new Float64Array(counts.length);
  for (let from = 0; from < counts.length; from += width) {
    let total = 0;
    for (let c = from; c < from + width; c++) total += counts[c];
    for (let c = from; c < from + width; c++) logs[c] = Math.log(counts[c] / total);
  }
  return logs;
}

function logSum(values: Float64Array): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  let sum = 0;
  for (const value of values) sum += Math.exp(value - most);
  return most + Math.log(sum);
}

function highest(values: Float32Array, from: number, k: number): number {
  let best = 0;
  for (let d = 1; d < k; d++) if (values[from + d] > values[from + best]) best = d;
  return best;
}
