import { coarserNames } from "../markers/coarser-names.ts";
import type { MarkerSet } from "../markers/marker-set.ts";
import { NAMES } from "../model/constants.ts";

/**
 * For each cell: index into `names`, or −1 if no name is likely enough; probability that the name is right (of the best
 * type if there is no name); and the margin of its posterior over that of the next best at its level (0 if none).
 */
export interface ChosenTypes {
  type: Int32Array;
  confidence: Float32Array;
  margin: Float32Array;
  names: string[];
}

/** A type, a lineage, or a class, and the types that it covers. */
interface NameNode {
  name: string;
  types: number[];
}

/** What names are made of. */
export type Named = Pick<MarkerSet, "name" | "lineage" | "parent">;

/**
 * Names cells by the posterior of types (nCells × (types + 1), the last of none): a name is a subtype, a type, its lineage,
 * or the lineage's class, whichever is the first whose confidence is at least {@link NAMES.LIKELY}. O(cells · types).
 * @param confidenceOf probability that a name is right, given its posterior
 */
export function nameCells(
  posterior: Float32Array,
  sets: readonly Named[],
  confidenceOf: (posterior: number) => number,
): ChosenTypes {
  const width = sets.length + 1;
  const nCells = posterior.length / width;
  const levels = levelsOf(sets);
  const names = [...new Set(levels.flatMap((nodes) => nodes.map(({ name }) => name)))];
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const type = new Int32Array(nCells).fill(-1);
  const confidence = new Float32Array(nCells);
  const margin = new Float32Array(nCells);
  for (let cell = 0; cell < nCells; cell++) {
    const own = posterior.subarray(cell * width, (cell + 1) * width);
    for (const [level, nodes] of levels.entries()) {
      const found = likeliest(own, nodes);
      if (!found) continue;
      const likely = confidenceOf(found.posterior);
      if (level === 0) confidence[cell] = likely;
      if (likely < NAMES.LIKELY) continue;
      type[cell] = indexOf.get(found.node.name)!;
      confidence[cell] = likely;
      margin[cell] = Math.max(0, found.lead);
      break;
    }
  }
  return { type, confidence, margin, names };
}

/** Posterior of a name. */
function posteriorOf(own: Float32Array, types: readonly number[]): number {
  return types.reduce((sum, type) => sum + own[type], 0);
}

/** Subtypes with types that have none, types, lineages, and classes. */
export function levelsOf(sets: readonly Named[]): NameNode[][] {
  const chains = sets.map(({ name, lineage, parent }) => {
    const type = parent ?? name;
    return [name, type, ...coarserNames(type, lineage)];
  });
  return [0, 1, 2, 3].map((level) => {
    const nodes = new Map<string, number[]>();
    chains.forEach((chain, type) => {
      // A lineage includes the type of its name, whose chain is shorter.
      const name = chain[Math.min(level, chain.length - 1)];
      nodes.set(name, [...(nodes.get(name) ?? []), type]);
    });
    return Array.from(nodes, ([name, types]) => ({ name, types }));
  });
}

/** The likeliest of some names, its posterior, and its lead over the next. */
export function likeliest(
  own: Float32Array,
  nodes: readonly NameNode[],
): { node: NameNode; posterior: number; lead: number } | undefined {
  let best: NameNode | undefined;
  let [most, next] = [-1, own[own.length - 1]];
  for (const node of nodes) {
    const value = posteriorOf(own, node.types);
    if (value > most) {
      if (best) next = Math.max(next, most);
      [best, most] = [node, value];
    } else next = Math.max(next, value);
  }
  return best && { node: best, posterior: most, lead: most - next };
}

/** Removes the names of cells that must have none. */
export function withhold({ type, confidence, margin }: ChosenTypes, withheld: Uint8Array): void {
  withheld.forEach((flag, cell) => {
    if (flag) [type[cell], confidence[cell], margin[cell]] = [-1, 0, 0];
  });
}
