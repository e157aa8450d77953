import type { SparseMatrix } from "../../fields.ts";
import { Random } from "../../numerics/random.ts";
import { transpose } from "../../numerics/sparse.ts";
import { membership } from "../../model/prototypes.ts";
import {
  fitAnchored,
  unanchoredProfile,
  type AnchoredData,
  type AnchoredModel,
  type Anchors,
} from "./anchored-fit.ts";

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
const MOST_ROUNDS = 5;
/** A marker is confirmed where its type has this many times the rate of all other cells … */
const LEAST_RAISE = 1.5;
/** … and more, the rarer a type is below this share: few cells can be chosen to fit noise. */
const SURE_SHARE = 0.05;
/** Types with a smaller share of confirmed markers, or fewer of them, are not there. */
const LEAST_CONFIRMED = 0.5;
const LEAST_MARKERS = 3;
/** Types with a smaller share of the cells cannot be judged yet. */
const LEAST_MASS = 0.005;

/**
 * Types of cells from the spots' counts of marker genes and the cells' features. All candidates compete with a type
 * that has no markers; after each warm-up, half of the candidates whose markers do not go together in the spots
 * are dropped, the worst first, until all that are left are confirmed. Null where there are too few spots or nothing is confirmed.
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
  let kept = [...candidates.keys()];
  for (let round = 0; ; round++) {
    const last = round === MOST_ROUNDS;
    const types = kept.map((i) => candidates[i]);
    const model = await fitAnchored(data, anchorsOf(types, column), {
      steps: WARM_STEPS,
      pause: async (step) => {
        options.progress?.((0.8 * (round + step / WARM_STEPS)) / (MOST_ROUNDS + 1));
        await options.pause?.();
      },
    });
    const mass = sharesOf(data, model);
    const raised = raisedMarkers(types, column, data, model);
    const share = types.map(({ present }, t) => raised[t].length / present.length);
    const doubtful = [...share.keys()]
      .filter((t) => !isConfirmed(raised[t], types[t]))
      // A type that hardly any cell has taken yet cannot show its markers; it does no harm either.
      .filter((t) => last || mass[t] >= LEAST_MASS)
      .sort((a, b) => share[a] - share[b]);
    if (doubtful.length === 0) break;
    const dropped = new Set(last ? doubtful : doubtful.slice(0, Math.ceil(doubtful.length / 2)));
    kept = kept.filter((_, t) => !dropped.has(t));
    if (kept.length === 0) return null;
    if (last) break;
  }
  const types = kept.map((i) => candidates[i]);
  const model = await fitAnchored(data, anchorsOf(types, column), {
    steps: FINAL_STEPS + WARM_STEPS,
    pause: async (step) => {
      options.progress?.(0.8 + (0.2 * step) / (FINAL_STEPS + WARM_STEPS));
      await options.pause?.();
    },
  });
  const raised = raisedMarkers(types, column, data, model);
  const good = [...types.keys()].filter((t) => isConfirmed(raised[t], types[t]));
  if (good.length === 0) return null;
  return {
    kept: good.map((t) => kept[t]),
    confirmed: good.map((t) => raised[t]),
    posterior: onlyTypes(membership(evidence.phi, model.gate), types.length + 1, good),
  };
}

function isConfirmed(raised: readonly number[], { present }: CandidateType): boolean {
  return raised.length >= Math.max(LEAST_MARKERS, LEAST_CONFIRMED * present.length);
}

/** The posteriors of the types named; those of the others go to "none", the last column. */
function onlyTypes(posterior: Float32Array, width: number, types: readonly number[]): Float32Array {
  if (types.length === width - 1) return posterior;
  const nCells = posterior.length / width;
  const out = new Float32Array(nCells * (types.length + 1));
  for (let cell = 0; cell < nCells; cell++) {
    const at = cell * (types.length + 1);
    let none = 1;
    types.forEach((t, i) => {
      out[at + i] = posterior[cell * width + t];
      none -= out[at + i];
    });
    out[at + types.length] = Math.max(0, none);
  }
  return out;
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

/** Share of each type among the cells. */
function sharesOf({ phi }: AnchoredData, { gate }: AnchoredModel): Float64Array {
  const members = membership(phi, gate);
  const shares = new Float64Array(gate.k);
  for (let i = 0; i < members.length; i++)
    shares[i % gate.k] += (members[i] * gate.k) / members.length;
  return shares;
}

/** Markers of each type whose rate in it, as the spots show it, is raised above that of all other cells. */
function raisedMarkers(
  types: readonly CandidateType[],
  column: ReadonlyMap<number, number>,
  data: AnchoredData,
  model: AnchoredModel,
): number[][] {
  const { nGenes } = data;
  const { k } = model.gate;
  const profile = unanchoredProfile(data, model);
  const shares = sharesOf(data, model);
  return types.map(({ present }, t) => {
    const least = LEAST_RAISE * Math.max(1, Math.sqrt(SURE_SHARE / Math.max(1e-9, shares[t])));
    return present.filter((gene) => {
      const g = column.get(gene)!;
      let all = 0;
      for (let j = 0; j < k; j++) all += shares[j] * profile[j * nGenes + g];
      const own = profile[t * nGenes + g];
      const others = (all - shares[t] * own) / Math.max(1e-9, 1 - shares[t]);
      const noise = 0.05 * all;
      return own + noise > least * (others + noise);
    });
  });
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
