import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { pickRows } from "@stipple/numerics/dense";
import { chooseColumns, chooseRows, denseRow, rowSums, transpose } from "@stipple/numerics/sparse";
import type { NearestSpots } from "../model/nearest-spots.ts";
import type { AnchoredData } from "./anchored-fit.ts";
import { posteriorOfOwners } from "./component-owners.ts";
import { findInRuns } from "./find-in-runs.ts";
import type { CandidateType, FitOptions, FoundTypes } from "./find-types.ts";
import { weighBySpots } from "./weigh-by-spots.ts";
import { ENOUGH, TYPE_FIT } from "../model/constants.ts";
import { SAMPLES } from "../model/limits.ts";

/** Evidence on cell types from the spots and the cells' looks. */
export interface SpotEvidence {
  /** A, nSpots × nCells. */
  overlap: SparseMatrix;
  /** e, nSpots. */
  efficiency: Float32Array;
  /** nGenes × nSpots counts. */
  byGene: SparseMatrix;
  /** Spots around each cell. */
  near: NearestSpots;
  /** Features of the cells, nCells × P, the first column all ones. */
  phi: { data: Float32Array; nCols: number };
  /** Number of features, right after the column of ones, that describe the cell's own look. */
  nLooks: number;
  /** Penalty of each feature: 0 for the first, 1 for a cell's own look. */
  penalty: Float64Array;
  seed: number;
}

export interface AnchoredTypes {
  /** Types confirmed by the spots, as indices of the candidates. */
  kept: number[];
  /** Markers of each kept type that are elevated in it. */
  confirmed: number[][];
  /** nCells × (kept + 1): posterior of the kept types and, last, of none of them. */
  posterior: Float32Array;
}

/**
 * Estimates cell types from the spots' marker gene counts and the cells' features, averaging three runs (`findTypes`;
 * one in large samples). Each run starts from different groups of similar-looking cells, because the types a run finds
 * and confirms partly depend on them. Then the spots around each cell weigh its types (`weighBySpots`). Null if there
 * are too few spots or nothing is confirmed.
 */
export async function anchoredTypes(
  candidates: readonly CandidateType[],
  evidence: SpotEvidence,
  options: FitOptions,
): Promise<AnchoredTypes | null> {
  const genes = [...new Set(candidates.flatMap(({ markers }) => markers))];
  const data = trainingData(evidence, genes);
  // One type alone has nothing to be told from: it would take every cell.
  if (data === null || candidates.length < 2) return null;
  const sample = { candidates, genes };
  const nRuns = data.overlap.nCols <= SAMPLES.HELDOUT_CELLS ? TYPE_FIT.RUNS : 1;
  const seeds = Array.from({ length: nRuns }, (_, run) => evidence.seed + run);
  const runs = await findInRuns(data, sample, seeds, options);
  if (runs.length === 0) return null;
  const weighed: WeighedRun[] = [];
  for (const run of runs) {
    const posterior = await weighBySpots(run, genes, evidence, options.pause);
    weighed.push({ ...run, posterior });
  }
  return meanOf(weighed);
}

/** A run, with the posterior of its components for all cells (nCells × components). */
export type WeighedRun = Pick<FoundTypes, "owners" | "confirmed"> & { posterior: Float32Array };

/** Mean of the runs, over the types that any of them found. */
export function meanOf(runs: readonly WeighedRun[]): AnchoredTypes {
  const kept = [...new Set(runs.flatMap(({ confirmed }) => [...confirmed.keys()]))].sort(
    (a, b) => a - b,
  );
  const nCells = runs[0].posterior.length / runs[0].owners.length;
  const posterior = new Float32Array(nCells * (kept.length + 1));
  for (const { posterior: own, owners } of runs) {
    posteriorOfOwners(own, owners, kept).forEach((value, i) => {
      posterior[i] += value / runs.length;
    });
  }
  return {
    kept,
    confirmed: kept.map((type) =>
      runs.find((run) => run.confirmed.has(type))!.confirmed.get(type)!,
    ),
    posterior,
  };
}

/** Spots with counts and cells, and the cells they capture, in random patches up to a limit of cells; null if too few. */
export function trainingData(
  evidence: SpotEvidence,
  genes: readonly number[],
): AnchoredData | null {
  const { overlap, efficiency, byGene, phi } = evidence;
  const nGenes = genes.length;
  const bySpot = transpose(chooseRows(byGene, genes));
  const umis = rowSums(bySpot);
  const order = spotsInPatches(overlap, new Random(evidence.seed));
  const known = new Set<number>();
  const spots: number[] = [];
  for (const s of order) {
    if (spots.length >= SAMPLES.TYPE_SPOTS || known.size >= SAMPLES.TYPE_CELLS) break;
    if (!(umis[s] > 0) || overlap.indptr[s] === overlap.indptr[s + 1]) continue;
    spots.push(s);
    for (let i = overlap.indptr[s]; i < overlap.indptr[s + 1]; i++) {
      known.add(overlap.indices[i]);
    }
  }
  const cells = [...known];
  if (spots.length < ENOUGH.SPOTS_FOR_TYPES) return null;
  const counts = new Float32Array(spots.length * nGenes);
  spots.forEach((s, at) => counts.set(denseRow(bySpot, s), at * nGenes));
  const chosen = chooseColumns(chooseRows(overlap, spots), cells);
  spots.forEach((s, i) => {
    for (let e = chosen.indptr[i]; e < chosen.indptr[i + 1]; e++) chosen.data[e] *= efficiency[s];
  });
  return {
    overlap: chosen,
    reached: transpose(chosen),
    counts,
    nGenes,
    phi: { data: pickRows(phi.data, phi.nCols, cells), nCols: phi.nCols },
    nLooks: evidence.nLooks,
    penalty: evidence.penalty,
  };
}

/**
 * All spots in random order, in patches of neighbors if each captures many cells. A subset of a large sample then
 * contains most of the spots that capture its cells, whereas scattered spots would each add cells that no other spot
 * captures. Small bins capture little more than their own cell and are drawn one by one.
 */
export function spotsInPatches(overlap: SparseMatrix, random: Random): Uint32Array {
  const { nRows, indptr, indices } = overlap;
  const order = random.order(nRows);
  if (indices.length < SAMPLES.PATCH_CELLS * nRows) return order;
  const seenBy = transpose(overlap);
  const taken = new Uint8Array(nRows);
  const found: number[] = [];
  for (const first of order) {
    if (taken[first]) continue;
    const patch = [first];
    const known = new Set(patch);
    for (let at = 0; at < patch.length && patch.length < SAMPLES.PATCH; at++) {
      for (let i = indptr[patch[at]]; i < indptr[patch[at] + 1]; i++) {
        const cell = indices[i];
        for (let j = seenBy.indptr[cell]; j < seenBy.indptr[cell + 1]; j++) {
          const spot = seenBy.indices[j];
          if (taken[spot] || known.has(spot) || patch.length >= SAMPLES.PATCH) continue;
          known.add(spot);
          patch.push(spot);
        }
      }
    }
    for (const spot of patch) taken[spot] = 1;
    found.push(...patch);
  }
  return Uint32Array.from(found);
}
