import { log1pOf } from "@stipple/numerics/log1p";
import { interpolate, nearestSpots, type NearestSpots } from "../../model/nearest-spots.ts";
import type { RateSource } from "@stipple/contract";
import type { TissueData } from "./fit-expression.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import { FEATURES } from "../../model/constants.ts";

/** For each spot, the surrounding spots that are in other folds. */
export function heldoutNeighbors(
  { spotsXy, pitchPx }: Pick<TissueData, "spotsXy" | "pitchPx">,
  foldOf: readonly number[],
  folds: number,
  { width, always }: { width: number; always: boolean },
): NearestSpots {
  const spot = new Int32Array(foldOf.length * width).fill(-1);
  const weight = new Float32Array(foldOf.length * width);
  for (let fold = 0; fold < folds; fold++) {
    const near = nearestSpots(spotsXy, spotsXy, {
      lengthPx: FEATURES.NEAR_PITCHES * pitchPx,
      width,
      use: Uint8Array.from(foldOf, (own) => (own === fold ? 0 : 1)),
      always,
    });
    for (let s = 0; s < foldOf.length; s++) {
      if (foldOf[s] !== fold) continue;
      const [from, to] = [s * width, (s + 1) * width];
      spot.set(near.spot.subarray(from, to), from);
      weight.set(near.weight.subarray(from, to), from);
    }
  }
  return { width, spot, weight };
}

/**
 * Model-free sources: a gene's counts as log1p at the target depth, and two predictions of them from spots in other
 * folds, at the same depth: the Gaussian-weighted sum of the surrounding counts, and the nearest spot alone.
 */
export function spotSources(
  tissue: Pick<TissueData, "spotsXy" | "pitchPx" | "byGene">,
  target: number,
  foldOf: readonly number[],
  folds: number,
): (gene: number) => Record<Exclude<RateSource, "model"> | "observed", Float32Array> {
  const { byGene } = tissue;
  const totals = spotTotals(byGene);
  const sources = [FEATURES.NEAR_SPOTS, 1].map((width) => {
    const near = heldoutNeighbors(tissue, foldOf, folds, { width, always: true });
    return { near, around: interpolate(near, totals, 1) };
  });
  const counts = new Float32Array(foldOf.length);
  return (gene) => {
    counts.fill(0);
    for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
      counts[byGene.indices[k]] = byGene.data[k];
    }
    const [interpolation, spot] = sources.map(({ near, around }) =>
      logsAt(target, interpolate(near, counts, 1), around),
    );
    return { observed: logsAt(target, counts, totals), interpolation, spot };
  };
}

/**
 * log1p of counts at the target depth. Written as a loop because most counts are 0 and a function call costs as much as
 * a log.
 */
function logsAt(
  target: number,
  counts: Float32Array,
  totals: Float32Array | Float64Array,
): Float32Array {
  const logs = new Float32Array(counts.length);
  for (let s = 0; s < counts.length; s++) {
    if (counts[s] > 0 && totals[s] > 0) logs[s] = log1pOf((counts[s] * target) / totals[s]);
  }
  return logs;
}
