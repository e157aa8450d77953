import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import type { Maybe, NeighborhoodEnrichment } from "@stipple/contract/statistical-facts";
import { pauses, type Work } from "./work.ts";

/**
 * How often cells of each type neighbor cells of each other type, compared with seeded permutations of the type
 * labels: z = (count − mean) / standard deviation, as in squidpy's `nhood_enrichment`. `typeOf` gives each
 * node's index into `types`. O(permutations · (nodes + edges)).
 */
export async function neighborhoodEnrichment(
  graph: SparseMatrix,
  typeOf: Int32Array,
  types: readonly string[],
  options: Work & { permutations: number },
): Promise<NeighborhoodEnrichment> {
  const k = types.length;
  const { permutations } = options;
  const edges = undirectedEdges(graph);
  const observed = countPairs(edges, typeOf, k);
  const random = new Random(options.seed);
  const shuffled = Uint16Array.from(typeOf);
  const sums = new Float64Array(k * k);
  const squares = new Float64Array(k * k);
  const pause = pauses(options);
  for (let permutation = 0; permutation < permutations; permutation++) {
    options.progress(permutation / permutations);
    random.shuffle(shuffled);
    const counts = countPairs(edges, shuffled, k);
    for (let pair = 0; pair < k * k; pair++) {
      sums[pair] += counts[pair];
      squares[pair] += counts[pair] ** 2;
    }
    await pause();
  }
  const z = (pair: number): Maybe => {
    const mean = sums[pair] / permutations;
    const variance = squares[pair] / permutations - mean * mean;
    return variance > 1e-9 ? (observed[pair] - mean) / Math.sqrt(variance) : null;
  };
  const square = <T>(at: (pair: number) => T): T[][] =>
    types.map((_, row) => types.map((_type, column) => at(row * k + column)));
  return {
    types: [...types],
    permutations,
    zscore: square(z),
    count: square((pair) => observed[pair]),
  };
}

interface Edges {
  from: Uint32Array;
  to: Uint32Array;
}

/** Each edge once, from the lower node to the higher. */
function undirectedEdges({ nRows, indptr, indices }: SparseMatrix): Edges {
  const from = new Uint32Array(indices.length / 2);
  const to = new Uint32Array(indices.length / 2);
  let count = 0;
  for (let i = 0; i < nRows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      if (indices[k] <= i) continue;
      from[count] = i;
      to[count++] = indices[k];
    }
  }
  return { from, to };
}

/** Directed edges between types, k × k, symmetric, so an edge within a type counts twice. */
function countPairs({ from, to }: Edges, typeOf: ArrayLike<number>, k: number): Float64Array {
  const counts = new Float64Array(k * k);
  for (let e = 0; e < from.length; e++) counts[typeOf[from[e]] * k + typeOf[to[e]]] += 1;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      counts[a * k + b] = counts[b * k + a] = counts[a * k + b] + counts[b * k + a];
    }
  }
  return counts;
}
