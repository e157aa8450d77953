import type { SparseMatrix } from "../../fields.ts";
import { Random } from "../../numerics/random.ts";
import { transpose } from "../../numerics/sparse.ts";
import { membership } from "../../model/prototypes.ts";
import {
  fitAnchored,
  type AnchoredData,
  type Anchors,
  type AnchoredModel,
} from "./anchored-fit.ts";
import { isConfirmed, isUp, oddsOfType, ownersOf, posteriorOfOwners } from "./component-owners.ts";
import { halvesOfSpots } from "./halves-of-spots.ts";
import {
  componentRaises,
  matchComponents,
  reorderedWeights,
  sharesOf,
  SURE_SHARE,
} from "./match-components.ts";
import { isSmallPanel } from "./resolve-sets.ts";
import { startFromLooks } from "./start-from-looks.ts";

/** What the spots and the look of the cells say of their types. */
export interface SpotEvidence {
  /** A, nSpots × nCells. */
  overlap: SparseMatrix;
  /** e, nSpots. */
  efficiency: Float32Array;
  /** nGenes × nSpots counts. */
  byGene: SparseMatrix;
  /** Features of the cells, nCells × P, the first column all ones. */
  phi: { data: Float32Array; nCols: number };
  /** How many of them, next to the ones, are the cell's own look. */
  nLooks: number;
  /** How strongly each feature is distrusted: 0 for the first, 1 for a cell's own look. */
  penalty: Float64Array;
  seed: number;
}

/** Genes of one candidate type, as indices of the data's genes. */
export interface CandidateType {
  name: string;
  present: readonly number[];
  absent: readonly number[];
}

export interface AnchoredTypes {
  /** Types that the spots confirm, as indices of the candidates. */
  kept: number[];
  /** Markers of each kept type that are raised in it. */
  confirmed: number[][];
  /** nCells × (kept + 1): posterior of the kept types, then of none of them. */
  posterior: Float32Array;
  /** The same by models that saw half of the spots each: their mean. */
  ofHalves: Float32Array;
}

/** Fewer spots with counts and cells cannot tell types apart. */
export const LEAST_SPOTS = 20;
/** Cells that the fit looks at at most, in whole neighborhoods of spots. */
const MOST_CELLS = 30_000;
const MOST_SPOTS = 2_500;
/** Rate of a gene in types that it does not mark, relative to those that it marks. */
const BACKGROUND = 0.3;
/** … and in types that must not express it. */
const ABSENT = 0.06;
const WARM_STEPS = 60;
const FINAL_STEPS = 100;
/** Steps of the models that see half of the spots. */
const HALF_STEPS = 100;
const MOST_ROUNDS = 5;
/** Types with a smaller share of the cells cannot be judged yet. */
const LEAST_MASS = 0.005;

/**
 * Types of cells from the spots' counts of marker genes and the cells' features. All candidates compete with a type
 * that has no markers, and begin with the groups of cells that look alike and show their markers. After each warm-up,
 * types trade the fitted components by whose markers these show, and half of the candidates whose markers do not go
 * together in the spots are dropped, the worst first, until all that are left are
 * confirmed where they are. In the end a type also owns the component of a look-alike that shows it more clearly. All
 * are fitted to halves of the spots as well: where looks tell little or spots are few, these say something else than all
 * spots together. Null where there are too few spots or nothing is confirmed.
 */
export async function anchoredTypes(
  candidates: readonly CandidateType[],
  evidence: SpotEvidence,
  options: { pause?: () => Promise<void>; progress?: (fraction: number) => void },
): Promise<AnchoredTypes | null> {
  const genes = [...new Set(candidates.flatMap(({ present }) => present))];
  const data = trainingData(evidence, genes);
  if (data === null || candidates.length === 0) return null;
  const column = new Map(genes.map((gene, at) => [gene, at]));
  const isSmall = isSmallPanel(evidence.byGene.nRows);
  // Two markers out of three are soon raised by chance in few cells.
  const twoMayDo = (shares: Float64Array): boolean[] =>
    Array.from(shares, (share) => isSmall && share >= SURE_SHARE);
  const columnsOf = (types: readonly CandidateType[]): number[][] =>
    types.map(({ present }) => present.map((gene) => column.get(gene)!));
  let kept = [...candidates.keys()];
  let start = await startFromLooks(data, columnsOf(candidates), evidence.seed);
  let isTraded = false;
  for (let round = 0; ; round++) {
    const last = round === MOST_ROUNDS;
    const types = kept.map((i) => candidates[i]);
    const model = await fitAnchored(data, anchorsOf(types, column), {
      steps: WARM_STEPS,
      start,
      pause: async (step) => {
        options.progress?.((0.7 * (round + step / WARM_STEPS)) / (MOST_ROUNDS + 1));
        await options.pause?.();
      },
    });
    const mass = sharesOf(data, model);
    const two = twoMayDo(mass);
    const raises = markerRaises(types, column, data, model);
    const component = matchComponents(raises.map((ofTypes) => ofTypes.map(oddsOfType)));
    const share = component.map((from, t) =>
      from < 0 ? 0 : raises[from][t].filter(isUp).length / types[t].present.length,
    );
    const doubtful = [...share.keys()]
      .filter((t) => component[t] < 0 || !isConfirmed(raises[component[t]][t], two[component[t]]))
      // A type that hardly any cell has taken yet cannot show its markers; it does no harm either.
      .filter((t) => last || component[t] !== t || mass[t] >= LEAST_MASS)
      .sort((a, b) => share[a] - share[b]);
    const traded = component.some((from, t) => from >= 0 && from !== t);
    if (doubtful.length === 0 && !traded) break;
    isTraded ||= traded;
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
  const model = await fitAnchored(data, anchorsOf(types, column), {
    steps: FINAL_STEPS + WARM_STEPS,
    start,
    pause: async (step) => {
      options.progress?.(0.7 + (0.15 * step) / (FINAL_STEPS + WARM_STEPS));
      await options.pause?.();
    },
  });
  const raises = markerRaises(types, column, data, model);
  const owners = ownersOf(raises, twoMayDo(sharesOf(data, model)));
  const good = [...types.keys()].filter((t) => owners.includes(t));
  if (good.length === 0) return null;
  const posteriorBy = ({ gate }: AnchoredModel): Float32Array =>
    posteriorOfOwners(membership(evidence.phi, gate), owners, good);
  const posterior = posteriorBy(model);
  const ofHalves = new Float32Array(posterior.length);
  const halves = halvesOfSpots(data, evidence.seed);
  for (const [i, half] of halves.entries()) {
    const ofHalf = await fitAnchored(half, anchorsOf(types, column), {
      steps: HALF_STEPS,
      // By itself, so that a half knows nothing of the other; but it would not find who traded with whom.
      start: isTraded ? start : await startFromLooks(half, columnsOf(types), evidence.seed),
      pause: async (step) => {
        options.progress?.(0.85 + (0.15 * (i + step / HALF_STEPS)) / halves.length);
        await options.pause?.();
      },
    });
    posteriorBy(ofHalf).forEach((value, at) => (ofHalves[at] += value / halves.length));
  }
  return {
    kept: good.map((t) => kept[t]),
    confirmed: good.map((t) =>
      types[t].present.filter((_, i) =>
        owners.some((owner, component) => owner === t && isUp(raises[component][t][i])),
      ),
    ),
    posterior,
    ofHalves,
  };
}

/** Anchors of the types and, last, of cells of none of them. */
function anchorsOf(types: readonly CandidateType[], column: ReadonlyMap<number, number>): Anchors {
  const nGenes = column.size;
  const nTypes = types.length + 1;
  const data = new Float64Array(nTypes * nGenes).fill(BACKGROUND);
  types.forEach(({ present, absent }, t) => {
    for (const gene of present) data[t * nGenes + column.get(gene)!] = 1;
    for (const gene of absent) {
      const at = column.get(gene);
      if (at !== undefined) data[t * nGenes + at] = ABSENT;
    }
  });
  return { nTypes, data };
}

/** Raises of the markers of each type (second index) in each component (first index). */
function markerRaises(
  types: readonly CandidateType[],
  column: ReadonlyMap<number, number>,
  data: AnchoredData,
  model: AnchoredModel,
): number[][][] {
  return componentRaises(data, model).map((raise) =>
    types.map(({ present }) => present.map((gene) => raise[column.get(gene)!])),
  );
}

/** The spots with counts and cells, and the cells that they reach, in random order up to a limit of cells. */
function trainingData(evidence: SpotEvidence, genes: readonly number[]): AnchoredData | null {
  const { overlap, efficiency, byGene, phi } = evidence;
  const nGenes = genes.length;
  const all = new Float32Array(overlap.nRows);
  for (const gene of genes) {
    for (let i = byGene.indptr[gene]; i < byGene.indptr[gene + 1]; i++) {
      all[byGene.indices[i]] += byGene.data[i];
    }
  }
  const order = Uint32Array.from(all.keys());
  new Random(evidence.seed).shuffle(order);
  const place = new Int32Array(overlap.nCols).fill(-1);
  const cells: number[] = [];
  const spots: number[] = [];
  for (const s of order) {
    if (spots.length >= MOST_SPOTS || cells.length >= MOST_CELLS) break;
    if (!(all[s] > 0) || overlap.indptr[s] === overlap.indptr[s + 1]) continue;
    spots.push(s);
    for (let i = overlap.indptr[s]; i < overlap.indptr[s + 1]; i++) {
      const cell = overlap.indices[i];
      if (place[cell] < 0) place[cell] = cells.push(cell) - 1;
    }
  }
  if (spots.length < LEAST_SPOTS) return null;
  const row = new Int32Array(overlap.nRows).fill(-1);
  spots.forEach((s, at) => (row[s] = at));
  const counts = new Float32Array(spots.length * nGenes);
  genes.forEach((gene, g) => {
    for (let i = byGene.indptr[gene]; i < byGene.indptr[gene + 1]; i++) {
      const at = row[byGene.indices[i]];
      if (at >= 0) counts[at * nGenes + g] = byGene.data[i];
    }
  });
  const part = { data: new Float32Array(cells.length * phi.nCols), nCols: phi.nCols };
  cells.forEach((cell, at) => {
    part.data.set(phi.data.subarray(cell * phi.nCols, (cell + 1) * phi.nCols), at * phi.nCols);
  });
  const chosen = rowsOf(overlap, spots, place, cells.length, efficiency);
  return {
    overlap: chosen,
    reached: transpose(chosen),
    counts,
    nGenes,
    phi: part,
    nLooks: evidence.nLooks,
    penalty: evidence.penalty,
  };
}

/** Rows of A scaled by the spots' efficiency, columns renumbered by `place`. */
function rowsOf(
  overlap: SparseMatrix,
  spots: readonly number[],
  place: Int32Array,
  nCells: number,
  efficiency: Float32Array,
): SparseMatrix {
  const indptr = new Uint32Array(spots.length + 1);
  spots.forEach((s, i) => {
    indptr[i + 1] = indptr[i] + overlap.indptr[s + 1] - overlap.indptr[s];
  });
  const indices = new Uint32Array(indptr[spots.length]);
  const data = new Float32Array(indptr[spots.length]);
  spots.forEach((s, i) => {
    let to = indptr[i];
    for (let from = overlap.indptr[s]; from < overlap.indptr[s + 1]; from++, to++) {
      indices[to] = place[overlap.indices[from]];
      data[to] = overlap.data[from] * efficiency[s];
    }
  });
  return { nRows: spots.length, nCols: nCells, indptr, indices, data };
}
