import { whole } from "@stipple/contract/counted";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { Random } from "@stipple/numerics/random";
import type { LigandReceptorTable } from "@stipple/contract/statistical-facts";
import type { LigandReceptorPair } from "./ligand-receptor-pairs.ts";
import { pauses, type Work } from "./work.ts";

export interface LigandReceptorInput {
  /** Graph of the tested cells. */
  graph: SparseMatrix;
  /** Each node's type as an index into `types`. */
  typeOf: Int32Array;
  types: readonly string[];
  /** Values of a gene at the nodes with counts, by symbol; absent = not reliable or not in the data. */
  values: ReadonlyMap<string, { rows: Uint32Array; values: Float32Array }>;
  pairs: readonly LigandReceptorPair[];
}

/** Maximum number of directed contacts to examine; if there are more, a seeded sample is used. */
const MAX_CONTACTS = 1_000_000;
/**
 * Maximum number of sums (active contacts × permutations); above it, fewer permutations are used (at least
 * 200).
 */
const PERMUTATION_WORK = 4e9;
const MIN_PERMUTATIONS = 200;
/** Type pairs with few contacts, and genes detected in few cells of a type, are not tested. */
const MIN_CONTACTS = 20;
const MIN_FRACTION = 0.05;

/**
 * Ligands and receptors on neighboring cells. The score of (ligand L, receptor R, types A → B) is the mean over
 * directed contacts i → j, with i of type A and j of type B, of x_iL · x_jR (log-normalized counts). It is
 * compared with seeded permutations of the type labels while contacts and counts stay fixed: p = (1 +
 * permutations with at least this score) / (1 + permutations), then Benjamini–Hochberg over all rows.
 * O(permutations · (cells + active contacts)).
 */
export async function ligandReceptor(
  input: LigandReceptorInput,
  options: Work & { permutations: number },
): Promise<LigandReceptorTable> {
  const { typeOf, types, values } = input;
  const k = types.length;
  const n = typeOf.length;
  const random = new Random(options.seed);
  const contacts = sampledContacts(input.graph, random);
  const pairs = input.pairs.filter(
    ({ ligand, receptor }) => values.has(ligand) && values.has(receptor),
  );
  const active = pairs.map(({ ligand, receptor }) =>
    activeContacts(contacts, dense(values.get(ligand)!, n), dense(values.get(receptor)!, n)),
  );
  const observed = means(contacts, active, typeOf, k);
  const chance = await permuted(contacts, active, typeOf, { observed, random, k }, options);
  const { permutations, above, sums, squares } = chance;
  const counts = contactCounts(contacts, typeOf, k);
  const sizes = new Float64Array(k);
  for (const type of typeOf) sizes[type] += 1;
  const table: LigandReceptorTable = {
    knownPairs: input.pairs.length,
    testedPairs: pairs.length,
    permutations,
    ligand: [],
    receptor: [],
    sender: [],
    receiver: [],
    edges: [],
    score: [],
    mean: [],
    zscore: [],
    pvalue: [],
    fdr: [],
  };
  pairs.forEach(({ ligand, receptor }, pair) => {
    const sent = levelByType(values.get(ligand)!, typeOf, sizes);
    const received = levelByType(values.get(receptor)!, typeOf, sizes);
    for (let a = 0; a < k; a++) {
      for (let b = 0; b < k; b++) {
        const i = (pair * k + a) * k + b;
        if (counts[a * k + b] < MIN_CONTACTS) continue;
        if (sent.fraction[a] < MIN_FRACTION || received.fraction[b] < MIN_FRACTION) continue;
        const mean = sums[i] / permutations;
        const spread = Math.sqrt(Math.max(0, squares[i] / permutations - mean * mean));
        table.ligand.push(ligand);
        table.receptor.push(receptor);
        table.sender.push(types[a]);
        table.receiver.push(types[b]);
        table.edges.push(counts[a * k + b]);
        table.score.push(observed[i]);
        table.mean.push((sent.mean[a] + received.mean[b]) / 2);
        table.zscore.push(spread > 1e-12 ? (observed[i] - mean) / spread : null);
        table.pvalue.push((above[i] + 1) / (permutations + 1));
      }
    }
  });
  table.fdr = [...adjustForFalseDiscovery(table.pvalue)];
  return table;
}

/** The scores of shuffled types: their sums, their squares' sums, and how many are at least the observed ones. */
async function permuted(
  contacts: Contacts,
  active: readonly ActiveContacts[],
  typeOf: Int32Array,
  { observed, random, k }: { observed: Float64Array; random: Random; k: number },
  options: Work & { permutations: number },
) {
  const load =
    active.reduce((sum, { weight }) => sum + weight.length, 0) +
    contacts.from.length +
    typeOf.length;
  const permutations = Math.min(
    options.permutations,
    Math.max(MIN_PERMUTATIONS, Math.floor(PERMUTATION_WORK / load)),
  );
  const above = new Uint32Array(observed.length);
  const sums = new Float64Array(observed.length);
  const squares = new Float64Array(observed.length);
  const shuffled = Uint16Array.from(typeOf);
  const pause = pauses(options);
  for (let permutation = 0; permutation < permutations && active.length > 0; permutation++) {
    options.progress(permutation / permutations);
    random.shuffle(shuffled);
    const scores = means(contacts, active, shuffled, k);
    for (let i = 0; i < scores.length; i++) {
      // Equal sums may differ in their last digits.
      if (scores[i] >= observed[i] * (1 - 1e-12)) above[i] += 1;
      sums[i] += scores[i];
      squares[i] += scores[i] ** 2;
    }
    await pause();
  }
  return { permutations, above, sums, squares };
}

interface Contacts {
  from: Uint32Array;
  to: Uint32Array;
}
type ActiveContacts = Contacts & { weight: Float32Array };

/** Says so if only some of the contacts are examined: fewer than the edges of the graph; null if all are. */
export function sampledContactsNote(directedContacts: number): string | null {
  if (directedContacts <= MAX_CONTACTS) return null;
  return `Ligand–receptor pairs were scored on about ${whole(MAX_CONTACTS)} randomly chosen contacts of ${whole(directedContacts)}.`;
}

function sampledContacts({ nRows, indptr, indices }: SparseMatrix, random: Random): Contacts {
  const share = MAX_CONTACTS / Math.max(1, indices.length);
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0; i < nRows; i++) {
    for (let e = indptr[i]; e < indptr[i + 1]; e++) {
      if (share < 1 && random.uniform() >= share) continue;
      from.push(i);
      to.push(indices[e]);
    }
  }
  return { from: Uint32Array.from(from), to: Uint32Array.from(to) };
}

/** Contacts with counts of both genes, with the product of their values. */
function activeContacts(
  { from, to }: Contacts,
  ligand: Float32Array,
  receptor: Float32Array,
): ActiveContacts {
  const kept = Uint32Array.from(from.keys()).filter((e) => ligand[from[e]] * receptor[to[e]] > 0);
  return {
    from: kept.map((e) => from[e]),
    to: kept.map((e) => to[e]),
    weight: Float32Array.from(kept, (e) => ligand[from[e]] * receptor[to[e]]),
  };
}

function dense(entries: { rows: Uint32Array; values: Float32Array }, n: number): Float32Array {
  const values = new Float32Array(n);
  entries.rows.forEach((row, e) => (values[row] = entries.values[e]));
  return values;
}

/** [pair][type of i][type of j]: mean over contacts; 0 if the two types have no contacts. */
function means(
  contacts: Contacts,
  active: readonly ActiveContacts[],
  typeOf: ArrayLike<number>,
  k: number,
): Float64Array {
  const counts = contactCounts(contacts, typeOf, k);
  const result = new Float64Array(active.length * k * k);
  active.forEach(({ from, to, weight }, pair) => {
    const base = pair * k * k;
    for (let e = 0; e < weight.length; e++) {
      result[base + typeOf[from[e]] * k + typeOf[to[e]]] += weight[e];
    }
    for (let i = 0; i < k * k; i++) result[base + i] /= Math.max(1, counts[i]);
  });
  return result;
}

function contactCounts({ from, to }: Contacts, typeOf: ArrayLike<number>, k: number): Float64Array {
  const counts = new Float64Array(k * k);
  for (let e = 0; e < from.length; e++) counts[typeOf[from[e]] * k + typeOf[to[e]]] += 1;
  return counts;
}

/** Mean value of a gene in each type, and the fraction of its cells with counts. */
function levelByType(
  { rows, values }: { rows: Uint32Array; values: Float32Array },
  typeOf: Int32Array,
  sizes: Float64Array,
): { mean: Float64Array; fraction: Float64Array } {
  const mean = new Float64Array(sizes.length);
  const fraction = new Float64Array(sizes.length);
  rows.forEach((row, e) => {
    mean[typeOf[row]] += values[e] / sizes[typeOf[row]];
    fraction[typeOf[row]] += 1 / sizes[typeOf[row]];
  });
  return { mean, fraction };
}
