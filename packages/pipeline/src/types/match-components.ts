import type { Gate } from "../model/prototypes.ts";
import { unanchoredProfile, type AnchoredData } from "./anchored-fit.ts";
import { CONFIRMATION } from "../model/constants.ts";

/** Fraction of cells in each group, by their memberships (nCells × k). */
export function sharesOf(members: Float32Array, k: number): Float64Array {
  const shares = new Float64Array(k);
  for (let i = 0; i < members.length; i++) shares[i % k] += (members[i] * k) / members.length;
  return shares;
}

/**
 * Raise of each gene in groups with given memberships (nCells × k): its log rate, estimated from the spots without anchors
 * (starting from given rates, if any), minus that in all other cells, minus ½ log(5 % / share) for groups rarer than 5 %.
 * k × genes.
 */
export function raisesOfGroups(
  data: AnchoredData,
  members: Float32Array,
  k: number,
  start?: Float64Array,
): Float64Array[] {
  const { nGenes } = data;
  const profile = unanchoredProfile(data, members, k, start);
  const shares = sharesOf(members, k);
  const all = Float64Array.from({ length: nGenes }, (_, g) =>
    shares.reduce((sum, share, j) => sum + share * profile[j * nGenes + g], 0),
  );
  return Array.from({ length: k }, (_, j) => {
    const rarity = Math.max(0, 0.5 * Math.log(CONFIRMATION.SURE_SHARE / Math.max(1e-9, shares[j])));
    return all.map((mean, g) => {
      // A gene without counts in these spots is not raised anywhere.
      if (!(mean > 0)) return -rarity;
      const own = profile[j * nGenes + g];
      const others = (mean - shares[j] * own) / Math.max(1e-9, 1 - shares[j]);
      const noise = 0.05 * mean;
      return Math.log((own + noise) / (others + noise)) - rarity;
    });
  });
}

/**
 * Assigns a component to each type by the log odds of every type (column) in every component (row): best pairs first,
 * each component once. Type t had component t and keeps it unless another one is clearly better. A type that gets no
 * component has −1.
 */
export function matchComponents(odds: readonly (readonly number[])[]): number[] {
  const component = new Array<number>(odds[0]?.length ?? 0).fill(-1);
  const taken = new Set<number>();
  const pairs = odds.flatMap((row, from) =>
    row.map((value, t) => ({ from, t, odds: value + (from === t ? CONFIRMATION.STAYS : 0) })),
  );
  for (const pair of pairs.sort((a, b) => b.odds - a.odds)) {
    if (component[pair.t] >= 0 || taken.has(pair.from)) continue;
    if (pair.from !== pair.t && pair.odds < 0) continue;
    component[pair.t] = pair.from;
    taken.add(pair.from);
  }
  return component;
}

/**
 * Reorders the weights of the gate's components, with "none of the types" last. A type without a component (−1) starts
 * over, and so does "none" if a type took its component.
 */
export function reorderedWeights(
  { weights, k }: Gate,
  component: readonly number[],
): Float64Array<ArrayBuffer> {
  const columns = [...component, component.includes(k - 1) ? -1 : k - 1];
  const nFeatures = weights.length / k;
  const out = new Float64Array(nFeatures * columns.length);
  for (let p = 0; p < nFeatures; p++) {
    columns.forEach((from, to) => {
      if (from >= 0) out[p * columns.length + to] = weights[p * k + from];
    });
  }
  return out;
}
