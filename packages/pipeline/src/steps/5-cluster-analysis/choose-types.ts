import type { MarkerSet } from "../../markers/marker-set.ts";

/** A type is assigned at this posterior or above. */
export const MIN_POSTERIOR = 0.5;
/** It is also assigned at this lower one if it is likelier than none and has this share of its lineage's posterior. */
const LIKELY_POSTERIOR = 0.4;
const LIKELY_SHARE = 2 / 3;

/**
 * For each cell: index into `names`, or −1 if no type reaches the minimum posterior; posterior of the assigned type (or
 * of the best type if none is assigned); and its margin over the next best (0 if none is assigned).
 */
export interface ChosenTypes {
  type: Int32Array;
  posterior: Float32Array;
  margin: Float32Array;
  names: string[];
}

/**
 * Softmax of the scores (sets × cells) at a temperature, with a `floor`: the score of a cell of no known type.
 * nCells × (sets + 1), the last column for none of the types. O(sets · cells).
 */
export function posteriorOfScores(
  scores: Float32Array,
  nCells: number,
  { temperature, floor }: { temperature: number; floor: number },
): Float32Array {
  const nSets = nCells > 0 ? scores.length / nCells : 0;
  const width = nSets + 1;
  const posterior = new Float32Array(nCells * width);
  for (let cell = 0; cell < nCells; cell++) {
    let top = floor;
    for (let set = 0; set < nSets; set++) top = Math.max(top, scores[set * nCells + cell]);
    let total = 0;
    for (let set = 0; set < width; set++) {
      const score = set < nSets ? scores[set * nCells + cell] : floor;
      const odds = Math.exp((score - top) / temperature);
      posterior[cell * width + set] = odds;
      total += odds;
    }
    for (let set = 0; set < width; set++) posterior[cell * width + set] /= total;
  }
  return posterior;
}

/**
 * Assigns each cell the type with the highest posterior (nCells × (sets + 1), the last column for none) if that is at
 * least 0.5 or, with `mostLikely`, 0.4 and two thirds of its lineage. A cell that fits several types of a lineage
 * equally well gets the lineage's name if they reach 0.5 together. O(sets · cells).
 */
export function chooseTypes(
  posteriors: Float32Array,
  nCells: number,
  sets: readonly MarkerSet[],
  { mostLikely = false }: { mostLikely?: boolean } = {},
): ChosenTypes {
  const width = sets.length + 1;
  const names = sets.map(({ name }) => name);
  const lineages = [...new Set(sets.map(({ lineage }) => lineage))];
  const lineageOf = sets.map(({ lineage }) => lineages.indexOf(lineage));
  const lineageName = lineages.map((lineage) => {
    const known = names.indexOf(lineage);
    return known >= 0 ? known : names.push(lineage) - 1;
  });
  const type = new Int32Array(nCells).fill(-1);
  const posterior = new Float32Array(nCells);
  const margin = new Float32Array(nCells);
  const shares = new Float64Array(lineages.length);
  for (let cell = 0; cell < nCells; cell++) {
    const own = posteriors.subarray(cell * width, (cell + 1) * width);
    const none = own[sets.length];
    let best = -1;
    let next = none;
    shares.fill(0);
    for (let set = 0; set < sets.length; set++) {
      shares[lineageOf[set]] += own[set];
      if (best < 0 || own[set] > own[best]) {
        if (best >= 0) next = Math.max(next, own[best]);
        best = set;
      } else next = Math.max(next, own[set]);
    }
    if (best < 0) continue;
    posterior[cell] = own[best];
    const lineage = lineageOf[best];
    const isLikely =
      mostLikely &&
      own[best] >= LIKELY_POSTERIOR &&
      own[best] > none &&
      own[best] >= LIKELY_SHARE * shares[lineage];
    if (own[best] >= MIN_POSTERIOR || isLikely) {
      type[cell] = best;
      margin[cell] = own[best] - next;
      continue;
    }
    if (shares[lineage] < MIN_POSTERIOR) continue;
    type[cell] = lineageName[lineage];
    posterior[cell] = shares[lineage];
    margin[cell] = shares[lineage] - Math.max(none, ...shares.filter((_, l) => l !== lineage));
  }
  return { type, posterior, margin, names };
}

/** Removes the types of cells that must have none. */
export function withhold({ type, posterior, margin }: ChosenTypes, withheld: Uint8Array): void {
  withheld.forEach((flag, cell) => {
    if (flag) [type[cell], posterior[cell], margin[cell]] = [-1, 0, 0];
  });
}
