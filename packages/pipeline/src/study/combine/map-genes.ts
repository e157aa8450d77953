import type { Block } from "./sample-table.ts";

/** Where a sample's genes are among the shared ones; −1 = not shared. Null if they are the same in the same order. */
export type GeneMap = Int32Array | null;

/** Indices of a sample's genes (by ID) among the shared ones. */
export function geneMap(own: readonly string[], shared: readonly string[]): GeneMap {
  if (own.length === shared.length && own.every((id, gene) => id === shared[gene])) return null;
  const places = new Map(shared.map((id, gene) => [id, gene] as const));
  return Int32Array.from(own, (id) => places.get(id) ?? -1);
}

/** A block of rows with only the shared genes, in their order. `least` leaves out smaller values of the first matrix. */
export function mapGenes(block: Block, map: GeneMap, least = 0): Block {
  if (map === null && least === 0) return block;
  const { lengths, indices, values } = block;
  const kept = new Uint32Array(lengths.length);
  const places = new Int32Array(indices.length);
  const from = new Uint32Array(indices.length);
  let [n, at] = [0, 0];
  for (let row = 0; row < lengths.length; row++) {
    const start = n;
    let isAscending = true;
    for (const end = at + lengths[row]; at < end; at++) {
      const place = map === null ? indices[at] : map[indices[at]];
      if (place < 0 || values[0][at] < least) continue;
      isAscending &&= n === start || places[n - 1] < place;
      places[n] = place;
      from[n++] = at;
    }
    if (!isAscending) sortTogether(places.subarray(start, n), from.subarray(start, n));
    kept[row] = n - start;
  }
  const taken = from.subarray(0, n);
  return {
    lengths: kept,
    indices: places.subarray(0, n),
    values: values.map((one) =>
      one instanceof Int32Array
        ? Int32Array.from(taken, (entry) => one[entry])
        : Float32Array.from(taken, (entry) => one[entry]),
    ),
  };
}

/** Sorts both by the first. */
function sortTogether(keys: Int32Array, others: Uint32Array): void {
  const order = Array.from(keys.keys());
  order.sort((a, b) => keys[a] - keys[b]);
  const sorted = order.map((i) => [keys[i], others[i]] as const);
  for (const [i, [key, other]] of sorted.entries()) {
    keys[i] = key;
    others[i] = other;
  }
}
