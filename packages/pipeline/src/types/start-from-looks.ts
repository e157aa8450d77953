import { openGateKernel } from "../model/gate-kernel.ts";
import { lookMembership, lookMixture } from "../model/look-mixture.ts";
import { openAdam } from "@stipple/numerics/adam";
import type { AnchoredData } from "./anchored-fit.ts";
import { oddsOfType } from "./component-owners.ts";
import { raisesOfGroups } from "./match-components.ts";
import { LOOK_GROUPS, TYPE_FIT } from "../model/constants.ts";
import { ROUNDS } from "../model/limits.ts";

/**
 * Starting weights of a gate that gives cells the types confirmed by the spots for groups of similar-looking cells.
 * With fixed groups, rates have a unique best fit, whereas types that all start equal keep whichever cells they take
 * first by chance. A group leans toward the types whose markers (columns of the counts, `markers`) it shows; the last
 * column of the gate is none of the types. O(cells · (features² + groups · types)).
 */
export async function startFromLooks(
  data: AnchoredData,
  markers: readonly (readonly number[])[],
  seed: number,
): Promise<Float64Array<ArrayBuffer>> {
  const { phi, nLooks } = data;
  const k = markers.length + 1;
  const width = phi.nCols;
  const nCells = phi.data.length / width;
  const looks = { data: new Float32Array(nCells * nLooks), nCols: nLooks };
  for (let c = 0; c < nCells; c++) {
    looks.data.set(phi.data.subarray(c * width + 1, c * width + 1 + nLooks), c * nLooks);
  }
  const gate = lookMixture(looks, LOOK_GROUPS.OF_TYPES, seed);
  const groups = lookMembership(looks, gate);
  const leaning = raisesOfGroups(data, groups, gate.k).map((raises) =>
    leaningOf(markers.map((genes) => oddsOfType(genes.map((gene) => raises[gene])))),
  );
  const wanted = new Float32Array(nCells * k);
  for (let c = 0; c < nCells; c++) {
    for (let j = 0; j < gate.k; j++) {
      const share = groups[c * gate.k + j];
      for (let t = 0; t < k; t++) wanted[c * k + t] += share * leaning[j][t];
    }
  }
  return fitGate(data, wanted, k);
}

/** Probabilities of a group's types and, last, of none of them, from the log odds of the types. */
function leaningOf(odds: readonly number[]): number[] {
  const all = [...odds, 0];
  const best = Math.max(...all);
  const weights = all.map((own) => Math.exp(Math.max(-TYPE_FIT.MAX_LOG_ODDS, own - best)));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** Fits softmax weights to the target memberships (nCells × k) with Adam. */
async function fitGate(
  { phi, penalty }: AnchoredData,
  wanted: Float32Array,
  k: number,
): Promise<Float64Array<ArrayBuffer>> {
  const kernel = await openGateKernel(phi, k);
  const weights = new Float64Array(phi.nCols * k);
  const climb = openAdam(weights, TYPE_FIT.LEARNING_RATE);
  for (let step = 0; step < ROUNDS.TYPE_STEPS; step++) {
    const members = await kernel.membership(weights);
    const gradient = await kernel.gradient(wanted.map((value, i) => value - members[i]));
    climb((i) => gradient[i] - TYPE_FIT.START_DECAY * penalty[Math.floor(i / k)] * weights[i]);
  }
  return weights;
}
