import { type Gate, membership } from "../model/prototypes.ts";
import {
  type AnchoredData,
  type AnchoredModel,
  type Anchors,
  fitAnchored,
} from "./anchored-fit.ts";
import { isConfirmed, isUp, oddsOfType } from "./component-owners.ts";
import { matchComponents, raisesOfGroups, reorderedWeights, sharesOf } from "./match-components.ts";
import { openDiscriminant } from "./discriminant.ts";
import type { FitThreads } from "./fit-threads.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import { LOOK_GROUPS, TYPE_FIT } from "../model/constants.ts";
import { ROUNDS } from "../model/limits.ts";
import { openGateKernel } from "../model/gate-kernel.ts";
import { lookMembership, lookMixture } from "../model/look-mixture.ts";
import { openAdam } from "@stipple/numerics/adam";

/** Genes of one candidate type, as indices of the data's genes. */
export type CandidateType = Pick<ResolvedSet, "markers" | "absent">;

/** Candidates and genes for one run. */
export interface SampledCandidates {
  candidates: readonly CandidateType[];
  /** The gene in each column of the counts. */
  genes: readonly number[];
}

export interface FitOptions {
  pause?: (() => Promise<void> | void) | undefined;
  progress?: ((fraction: number) => void) | undefined;
  /** Threads that fit models; none by default. */
  others?: FitThreads | undefined;
}

/** Result of one run. Types are indices of the candidates. */
export interface FoundTypes {
  /** The type that each component of the gates shows; −1 for none. */
  owners: number[];
  /** Markers of each type that are raised in it. */
  confirmed: Map<number, number[]>;
  /** Gate for the cells' components, fitted to all spots. */
  gate: Gate;
  /** Rates of the components, components × genes. */
  profile: Float64Array;
}

/**
 * One run of the fit. All candidates compete with a type without markers and start from groups of similar-looking cells
 * that show their markers. After each warm-up, types swap the fitted components according to whose markers they show,
 * and half of the candidates whose markers are not confirmed in their component are dropped, worst first, until all
 * remaining candidates are confirmed. With few spots, the gate is replaced by discriminants between the fitted components (`openDiscriminant`). Null if nothing is confirmed.
 */
export async function findTypes(
  data: AnchoredData,
  { candidates, genes }: SampledCandidates,
  seed: number,
  options: FitOptions,
): Promise<FoundTypes | null> {
  const column = new Map(genes.map((gene, at) => [gene, at]));
  const columnsOf = (types: readonly CandidateType[]): number[][] =>
    types.map(({ markers }) => markers.map((gene) => column.get(gene)!));
  let kept = [...candidates.keys()];
  let start = await startFromLooks(data, columnsOf(candidates), seed);
  const fit = (
    types: readonly CandidateType[],
    steps: number,
    [before, share]: readonly [number, number],
  ): Promise<AnchoredModel> =>
    fitAnchored(data, anchorsOf(types, column), {
      ...{ steps, start },
      pause: async (step) => {
        options.progress?.(before + (share * step) / steps);
        await options.pause?.();
      },
    });
  for (let round = 0; ; round++) {
    const last = round === ROUNDS.TYPE_CHECKS;
    const types = kept.map((i) => candidates[i]);
    const ofRounds = 0.7 / (ROUNDS.TYPE_CHECKS + 1);
    const model = await fit(types, ROUNDS.TYPE_STEPS, [ofRounds * round, ofRounds]);
    const members = membership(data.phi, model.gate);
    const mass = sharesOf(members, model.gate.k);
    const raises = markerRaises(types, column, data, model, members);
    const component = matchComponents(raises.map((ofTypes) => ofTypes.map(oddsOfType)));
    const share = component.map((from, t) =>
      from < 0 ? 0 : raises[from][t].filter(isUp).length / types[t].markers.length,
    );
    const doubtful = [...share.keys()]
      .filter((t) => component[t] < 0 || !isConfirmed(raises[component[t]][t]))
      // A type with almost no cells so far cannot show its markers, but does no harm either.
      .filter((t) => last || component[t] !== t || mass[t] >= TYPE_FIT.MIN_MASS)
      .sort((a, b) => share[a] - share[b]);
    const traded = component.some((from, t) => from >= 0 && from !== t);
    if (doubtful.length === 0 && !traded) break;
    const dropped = new Set(last ? doubtful : doubtful.slice(0, Math.ceil(doubtful.length / 2)));
    start = reorderedWeights(
      model.gate,
      component.filter((_, t) => !dropped.has(t)),
    );
    kept = kept.filter((_, t) => !dropped.has(t));
    if (kept.length === 0) return null;
    if (last) break;
  }
  const types = kept.map((i) => candidates[i]);
  const model = await fit(types, ROUNDS.LAST_STEPS + ROUNDS.TYPE_STEPS, [0.7, 0.3]);
  const raises = markerRaises(types, column, data, model, membership(data.phi, model.gate));
  const isGood = (t: number): boolean => isConfirmed(raises[t][t]);
  const good = [...types.keys()].filter(isGood);
  if (good.length === 0) return null;
  const markersOf = (t: number): number[] =>
    types[t].markers.filter((_, i) => isUp(raises[t][t][i]));
  const evened =
    data.overlap.nRows < TYPE_FIT.ENOUGH_SPOTS
      ? openDiscriminant(data.phi)
      : (gate: Gate): Gate => gate;
  return {
    owners: [...kept.map((type, t) => (isGood(t) ? type : -1)), -1],
    confirmed: new Map(good.map((t) => [kept[t], markersOf(t)])),
    gate: evened(model.gate),
    profile: model.profile,
  };
}

/** Anchors of the types and, last, for cells of none of them. */
function anchorsOf(types: readonly CandidateType[], column: ReadonlyMap<number, number>): Anchors {
  const nGenes = column.size;
  const nTypes = types.length + 1;
  const data = new Float64Array(nTypes * nGenes).fill(TYPE_FIT.BACKGROUND);
  types.forEach(({ markers, absent }, t) => {
    for (const gene of markers) data[t * nGenes + column.get(gene)!] = 1;
    for (const gene of absent) {
      const at = column.get(gene);
      if (at !== undefined) data[t * nGenes + at] = TYPE_FIT.ABSENT;
    }
  });
  return { nTypes, data };
}

/** Raises of the markers of each type (second index) in each component (first index). */
function markerRaises(
  types: readonly CandidateType[],
  column: ReadonlyMap<number, number>,
  data: AnchoredData,
  { gate, profile }: AnchoredModel,
  members: Float32Array,
): number[][][] {
  return raisesOfGroups(data, members, gate.k, profile).map((raise) =>
    types.map(({ markers }) => markers.map((gene) => raise[column.get(gene)!])),
  );
}

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
