import type { MarkerSet } from "./markers/marker-set.ts";

/** A type is given at this posterior or above. */
export const MIN_POSTERIOR = 0.5;

/** Of each cell: index into `names`, −1 where no type reaches the least posterior; the posterior of what is given, and how far it lies above that of the next best (0 where nothing is given). */
export interface ChosenTypes {
  type: Int32Array;
  posterior: Float32Array;
  margin: Float32Array;
  names: string[];
}

/**
 * Softmax of the scores (sets × cells) at a temperature, against a `floor`: the score that a cell of no known type would
 * have. A cell that fits several types of a lineage alike gets the lineage's name if they reach the least posterior
 * together. O(sets · cells).
 */
export function chooseTypes(
  scores: Float32Array,
  nCells: number,
  sets: readonly MarkerSet[],
  { temperature, floor }: { temperature: number; floor: number },
): ChosenTypes {
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
  const odds = new Float64Array(sets.length);
  const shares = new Float64Array(lineages.length);
  for (let cell = 0; cell < nCells; cell++) {
    let top = floor;
    for (let set = 0; set < sets.length; set++) top = Math.max(top, scores[set * nCells + cell]);
    let total = Math.exp((floor - top) / temperature);
    let best = -1;
    shares.fill(0);
    for (let set = 0; set < sets.length; set++) {
      odds[set] = Math.exp((scores[set * nCells + cell] - top) / temperature);
      total += odds[set];
      shares[lineageOf[set]] += odds[set];
      if (best < 0 || odds[set] > odds[best]) best = set;
    }
    if (best < 0) continue;
    posterior[cell] = odds[best] / total;
    if (posterior[cell] >= MIN_POSTERIOR) {
      type[cell] = best;
      let next = Math.exp((floor - top) / temperature);
      for (let set = 0; set < sets.length; set++)
        if (set !== best) next = Math.max(next, odds[set]);
      margin[cell] = posterior[cell] - next / total;
      continue;
    }
    const share = shares[lineageOf[best]] / total;
    if (share >= MIN_POSTERIOR) {
      type[cell] = lineageName[lineageOf[best]];
      posterior[cell] = share;
      let next = Math.exp((floor - top) / temperature);
      for (let l = 0; l < shares.length; l++) {
        if (l !== lineageOf[best]) next = Math.max(next, shares[l]);
      }
      margin[cell] = Math.max(0, share - next / total);
    }
  }
  return { type, posterior, margin, names };
}
