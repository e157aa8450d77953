import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import { coarserNames, isWithin } from "../../markers/coarser-names.ts";
import type { ChosenTypes } from "./choose-types.ts";
import {
  DISPERSION,
  relativeRates,
  relativeRatesInTurns,
  spotShares,
  type ObservedSpots,
  type SpotShares,
} from "./group-rates.ts";
import type { ClusterName, NamedMarkers } from "./name-clusters.ts";
import { nameOfNameless, type Likeliest } from "./name-of-nameless.ts";

/** A name needs so many observed UMIs of its markers, in all. */
const LEAST_UMIS = 5;
/** One-sided, against as many markers drawn from all types. */
const LEAST_Z = 1.64;
/** … for the best of the types that a coarser name stands for. */
const LEAST_Z_OF_BEST = 2.3;
/** A spot speaks against a name where its counts are this many times likelier (natural logarithm) without such cells. */
const MOST_AGAINST = -2;
/** … and for a coarser name where they are this much likelier with them. */
const LEAST_FOR = 2;
/** A rival is asked for if it has this many markers that the name has not. */
const LEAST_OF_RIVAL = 2;
/** Where markers are raised less, or none can be asked for, they count as raised so much. */
const LEAST_RAISE = -1;
const NO_RIVAL = { raise: LEAST_RAISE, z: 0 };
/** Rate of the markers of a type in cells of another type, where the sample shows no less. */
const ELSEWHERE = 1;

export interface NameSupport {
  chosen: ChosenTypes;
  /** Of each cell: log likelihood ratio of its spots' counts with and without cells of its name; 0 where nothing was asked. */
  evidence: Float32Array;
  /** Of each cell: share of the cells with its name in what its spots capture. */
  purity: Float32Array;
  /** Of each cell: how far its name's markers, and a rival's, are raised in the cells of the name. */
  raised: RaisedMarkers;
  /** Names that were taken back, and for how many cells. */
  takenBack: Record<string, number>;
  /** Cells that have their name from their cluster, 1 = yes. */
  byCluster: Uint8Array;
  /** Markers that such names were given for. */
  clusterMarkers: Map<string, ReadonlySet<number>>;
}

/** Markers of names in the cells that have them, nCells each; 0 for cells without a name. */
export interface RaisedMarkers {
  /** Standard errors by which the markers of the best rival are raised, but for those that the name has as well. */
  rival: Float32Array;
  /** Mean log rate of the name's markers less that of the rival's. */
  lead: Float32Array;
}

/** Clusters whose nameless cells are named together. */
export interface NamelessCells {
  clusters: Int32Array;
  /** 1 = the cell may be given a name. */
  eligible: Uint8Array;
  /** Name of each cluster, if it has one. */
  names: readonly (ClusterName | undefined)[];
  /** What the fit takes a cell for, where types were fitted. */
  likeliest?: ((cell: number) => Likeliest | undefined) | undefined;
  /** Markers of broad classes. */
  classes: readonly NamedMarkers[];
}

/**
 * Holds every name against the UMIs that the spots counted: docs/methods/5-cluster-analysis.md, "Evidence". A name that
 * its own markers do not support is replaced by the coarser one that has support, or none: first for all cells of
 * the name together, then for those of single spots. In between, cells without a name get one cluster by cluster.
 */
export async function supportNames(
  given: ChosenTypes,
  sets: readonly NamedMarkers[],
  spots: ObservedSpots,
  { signal, progress }: { signal: AbortSignal; progress?: (fraction: number) => void },
  nameless?: NamelessCells,
): Promise<NameSupport> {
  let opened = 0;
  const groupsNow = (): Promise<Groups> => {
    const from = opened++ / MOST_GROUPINGS;
    return Groups.open(chosen, sets, spots, async (fraction) => {
      progress?.(Math.min(1, from + fraction / MOST_GROUPINGS));
      await setImmediate();
      throwIfCancelled(signal);
    });
  };
  const chosen: ChosenTypes = {
    type: given.type.slice(),
    posterior: given.posterior.slice(),
    margin: given.margin.slice(),
    names: [...given.names],
  };
  const before = given.type.slice();
  const classes = nameless?.classes ?? [];
  const book = new Book(chosen, sets, classes);
  // Twice: cells that lost a name change what the other groups are made of.
  for (let round = 0; round < 2; round++) {
    const groups = await groupsNow();
    const failing = groups.names().filter((type) => !groups.supports(book.membersOf(type), type));
    for (const type of failing) {
      const wider = book.wider(type).find((other) => groups.supports(book.membersOf(other), type));
      chosen.type.forEach((own, cell) => {
        if (own === type) rename(chosen, cell, wider ?? -1);
      });
    }
    if (failing.length === 0) break;
  }
  const byCluster = new Uint8Array(chosen.type.length);
  const clusterMarkers = new Map<string, Set<number>>();
  if (nameless) {
    chosen.type.forEach((type, cell) => {
      const found = nameless.eligible[cell] ? nameless.names[nameless.clusters[cell]] : undefined;
      if (type >= 0 || found === undefined) return;
      const { name, posterior, margin, genes } = nameOfNameless(found, nameless.likeliest?.(cell));
      byCluster[cell] = 1;
      chosen.type[cell] = book.numberOf(name);
      chosen.posterior[cell] = posterior;
      chosen.margin[cell] = margin;
      const known = clusterMarkers.get(name);
      if (!known) clusterMarkers.set(name, new Set(genes));
      else for (const gene of genes) known.add(gene);
    });
  }
  const groups = await groupsNow();
  let evidence = groups.local(book);
  const against = Array.from(evidence.keys()).filter(
    (cell) => chosen.type[cell] >= 0 && evidence[cell] < MOST_AGAINST,
  );
  for (const cell of against) {
    const type = chosen.type[cell];
    const wider = book
      .wider(type)
      .find((other) => groups.localOf(book.membersOf(other), type)[cell] >= LEAST_FOR);
    rename(chosen, cell, wider ?? -1);
  }
  const last = against.length > 0 ? await groupsNow() : groups;
  if (against.length > 0) evidence = last.local(book);
  const takenBack: Record<string, number> = {};
  before.forEach((type, cell) => {
    if (type < 0 || chosen.type[cell] === type) return;
    const name = chosen.names[type];
    takenBack[name] = (takenBack[name] ?? 0) + 1;
  });
  return {
    chosen,
    evidence,
    purity: last.purity(),
    raised: last.raisedMarkers(book),
    takenBack,
    byCluster,
    clusterMarkers,
  };
}

function rename(chosen: ChosenTypes, cell: number, type: number): void {
  chosen.type[cell] = type;
  if (type < 0) chosen.margin[cell] = 0;
}

/** Names, the types that each stands for, and the coarser ones. */
class Book {
  readonly #chosen: ChosenTypes;
  readonly #sets: readonly NamedMarkers[];
  readonly #classes: readonly NamedMarkers[];

  constructor(
    chosen: ChosenTypes,
    sets: readonly NamedMarkers[],
    classes: readonly NamedMarkers[],
  ) {
    this.#chosen = chosen;
    this.#sets = sets;
    this.#classes = classes;
  }

  numberOf(name: string): number {
    const known = this.#chosen.names.indexOf(name);
    return known >= 0 ? known : this.#chosen.names.push(name) - 1;
  }

  /** The types that a name stands for: itself, or those of its lineage or class. */
  membersOf(type: number): NamedMarkers[] {
    const name = this.#chosen.names[type];
    const own = this.#sets.filter(({ set }) => set.name === name);
    if (own.length > 0) return own;
    return [...this.#sets, ...this.#classes].filter(({ set }) => isWithin(set.lineage, name));
  }

  wider(type: number): number[] {
    const name = this.#chosen.names[type];
    const own = this.#sets.find(({ set }) => set.name === name)?.set;
    const lineage = own?.lineage ?? name;
    const parent = own?.parent === undefined ? [] : [own.parent];
    return [...parent, ...coarserNames(name, lineage)].map((wider) => this.numberOf(wider));
  }
}

/** How often cells are grouped by their names at most: twice, with names from clusters, and in the end. */
const MOST_GROUPINGS = 4;

/** Cells by name, as the spots see them. */
class Groups {
  readonly #spots: ObservedSpots;
  readonly #chosen: ChosenTypes;
  readonly #shares: SpotShares;
  readonly #genes: number[];
  /** Of each gene: rates of the groups, relative to the whole sample. */
  readonly #rates = new Map<number, Float64Array>();
  readonly #sets: readonly NamedMarkers[];
  readonly #found = new Map<string, Float32Array>();
  readonly #moments = new Map<number, { mean: number; variance: number }>();

  /** `pause` is told the fraction that is done. */
  static async open(
    chosen: ChosenTypes,
    sets: readonly NamedMarkers[],
    spots: ObservedSpots,
    pause: (fraction: number) => Promise<void>,
  ): Promise<Groups> {
    const groups = new Groups(chosen, sets, spots);
    const genes = groups.#genes;
    groups.#keep(genes, await relativeRatesInTurns(spots, groups.#shares, genes, pause));
    return groups;
  }

  private constructor(chosen: ChosenTypes, sets: readonly NamedMarkers[], spots: ObservedSpots) {
    this.#chosen = chosen;
    this.#spots = spots;
    this.#sets = sets;
    const none = chosen.names.length;
    const groupOf = chosen.type.map((type) => (type < 0 ? none : type));
    this.#shares = spotShares(spots, groupOf, none + 1);
    this.#genes = [...new Set(sets.flatMap(({ genes }) => genes))];
  }

  /** Rates of the groups, found once a gene. */
  #ratesOf(genes: readonly number[]): void {
    const missing = genes.filter((gene) => !this.#rates.has(gene));
    if (missing.length > 0) this.#keep(missing, relativeRates(this.#spots, this.#shares, missing));
  }

  #keep(genes: readonly number[], rates: Float64Array): void {
    const { nGroups } = this.#shares;
    genes.forEach((gene, at) => {
      this.#rates.set(gene, rates.subarray(at * nGroups, (at + 1) * nGroups));
    });
  }

  /** Names that cells have. */
  names(): number[] {
    return [...new Set(this.#chosen.type)].filter((type) => type >= 0);
  }

  #relative(gene: number, group: number): number {
    return this.#rates.get(gene)![group];
  }

  /** Mean log rate of markers in a group, above that of all markers, in standard errors and as it is. */
  #raised(genes: readonly number[], group: number): { z: number; raise: number; error: number } {
    const { mean, variance } = this.#logRates(group);
    const own = genes.reduce((sum, gene) => sum + Math.log(this.#relative(gene, group)), 0);
    const raise = own / Math.max(1, genes.length) - mean;
    const error = Math.sqrt(variance / Math.max(1, genes.length));
    return { z: error > 0 ? raise / error : 0, raise, error };
  }

  /** Mean and variance of all markers' log rates in a group, found once. */
  #logRates(group: number): { mean: number; variance: number } {
    const known = this.#moments.get(group);
    if (known) return known;
    const all = this.#genes.map((gene) => Math.log(this.#relative(gene, group)));
    const mean = all.reduce((a, b) => a + b, 0) / all.length;
    const variance = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length;
    const found = { mean, variance };
    this.#moments.set(group, found);
    return found;
  }

  /** Whether one of the members' markers are raised in a group more than chance and than those of any other type. */
  supports(members: readonly NamedMarkers[], group: number): boolean {
    for (const { genes } of members) this.#ratesOf(genes);
    const least = members.length > 1 ? LEAST_Z_OF_BEST : LEAST_Z;
    const rivals = this.#rivalsOf(members);
    return members.some(({ genes }) => {
      const own = this.#raised(genes, group);
      if (!(own.z >= least) || !(this.#umis(genes, group) >= LEAST_UMIS)) return false;
      return rivals.every((rival) => {
        const other = this.#raised(rival.genes, group);
        return other.raise - own.raise <= LEAST_Z * Math.hypot(own.error, other.error);
      });
    });
  }

  /** How far the markers of each name are raised in its cells, and those that only a rival has. */
  raisedMarkers(book: Book): RaisedMarkers {
    const known = new Map(this.names().map((type) => [type, this.#againstRivals(book, type)]));
    const of = (pick: (found: { rival: number; lead: number }) => number): Float32Array =>
      Float32Array.from(this.#chosen.type, (type) => (type < 0 ? 0 : pick(known.get(type)!)));
    return { rival: of(({ rival }) => rival), lead: of(({ lead }) => lead) };
  }

  #againstRivals(book: Book, type: number): { rival: number; lead: number } {
    const members = book.membersOf(type);
    for (const { genes } of members) this.#ratesOf(genes);
    const own = members.map(({ genes }) => this.#raised(genes, type).raise);
    const mine = new Set(members.flatMap(({ genes }) => genes));
    const rivals = this.#rivalsOf(members)
      .map(({ genes }) => genes.filter((gene) => !mine.has(gene)))
      .filter((genes) => genes.length >= LEAST_OF_RIVAL)
      .map((genes) => this.#raised(genes, type));
    const best = rivals.reduce((a, b) => (b.raise > a.raise ? b : a), NO_RIVAL);
    return { rival: best.z, lead: Math.max(...own, LEAST_RAISE) - best.raise };
  }

  #rivalsOf(members: readonly NamedMarkers[]): NamedMarkers[] {
    return this.#sets.filter(
      ({ set }) =>
        set.parent === undefined &&
        !members.some((own) => own.set.name === set.name || own.set.parent === set.name),
    );
  }

  /** UMIs of genes in the spots of a group, by its share of them. */
  #umis(genes: readonly number[], group: number): number {
    const { byGene } = this.#spots;
    const inSpots = this.#sharesOf(group);
    let sum = 0;
    for (const gene of genes) {
      for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
        sum += byGene.data[k] * inSpots[byGene.indices[k]];
      }
    }
    return sum;
  }

  /** Share of a group in what each spot captures. */
  #sharesOf(group: number): Float32Array {
    const { share } = this.#shares;
    const inSpots = new Float32Array(share.nRows);
    for (let s = 0; s < share.nRows; s++) {
      for (let e = share.indptr[s]; e < share.indptr[s + 1]; e++) {
        if (share.indices[e] === group) inSpots[s] = share.data[e];
      }
    }
    return inSpots;
  }

  /** Mean share of the cells with each cell's name in its spots, by capture weight. */
  purity(): Float32Array {
    const { overlap } = this.#spots;
    const { share, nGroups } = this.#shares;
    const [sum, weights] = [new Float64Array(overlap.nCols), new Float64Array(overlap.nCols)];
    const inSpot = new Float32Array(nGroups);
    for (let s = 0; s < overlap.nRows; s++) {
      for (let e = share.indptr[s]; e < share.indptr[s + 1]; e++) {
        inSpot[share.indices[e]] = share.data[e];
      }
      for (let k = overlap.indptr[s]; k < overlap.indptr[s + 1]; k++) {
        const cell = overlap.indices[k];
        const type = this.#chosen.type[cell];
        if (type >= 0) sum[cell] += overlap.data[k] * inSpot[type];
        weights[cell] += overlap.data[k];
      }
      for (let e = share.indptr[s]; e < share.indptr[s + 1]; e++) inSpot[share.indices[e]] = 0;
    }
    return Float32Array.from(sum, (value, cell) => (weights[cell] > 0 ? value / weights[cell] : 0));
  }

  /** What the spots of each cell say of its own name. */
  local(book: Book): Float32Array {
    const evidence = new Float32Array(this.#chosen.type.length);
    const byName = new Map(
      this.names().map((type) => [type, this.localOf(book.membersOf(type), type)]),
    );
    this.#chosen.type.forEach((type, cell) => {
      if (type >= 0) evidence[cell] = byName.get(type)![cell];
    });
    return evidence;
  }

  /** … of cells of a group, by the markers of the members; the best of these. nCells. */
  localOf(members: readonly NamedMarkers[], group: number): Float32Array {
    const key = `${group} ${members.map(({ set }) => set.name).join("/")}`;
    const known = this.#found.get(key);
    if (known) return known;
    const inSpots = new Float32Array(this.#spots.overlap.nRows).fill(
      members.length > 0 ? -Infinity : 0,
    );
    for (const { genes } of members) {
      const ratios = this.#ratios(genes, group);
      for (let s = 0; s < ratios.length; s++) inSpots[s] = Math.max(inSpots[s], ratios[s]);
    }
    const found = ofCells(inSpots, this.#spots);
    this.#found.set(key, found);
    return found;
  }

  /** Log likelihood ratio, spot by spot: cells of the group as they are, against cells with no more than the sample's rate. */
  #ratios(genes: readonly number[], group: number): Float32Array {
    this.#ratesOf(genes);
    const { byGene } = this.#spots;
    const { share, nGroups, totals, all } = this.#shares;
    const nSpots = totals.length;
    const counts = new Float32Array(nSpots);
    const rate = new Float64Array(nGroups);
    let mean = 0;
    for (const gene of genes) {
      let sum = 0;
      for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
        counts[byGene.indices[k]] += byGene.data[k];
        sum += byGene.data[k];
      }
      for (let j = 0; j < nGroups; j++) rate[j] += (sum / all) * this.#relative(gene, j);
      mean += sum / all;
    }
    const absent = Math.min(rate[group], ELSEWHERE * mean);
    const ratios = new Float32Array(nSpots);
    for (let s = 0; s < nSpots; s++) {
      let present = 0;
      let own = 0;
      for (let e = share.indptr[s]; e < share.indptr[s + 1]; e++) {
        const other = share.indices[e];
        present += share.data[e] * rate[other];
        if (other === group) own = share.data[e];
      }
      const without = present - own * (rate[group] - absent);
      if (!(without > 0) || !(present > without)) continue;
      const [expected, background] = [totals[s] * present, totals[s] * without];
      // Most bins hold none of the genes.
      const ofCounts = counts[s] > 0 ? counts[s] * Math.log(present / without) : 0;
      ratios[s] = (ofCounts - (expected - background)) / (1 + DISPERSION * expected);
    }
    return ratios;
  }
}

/** Values of spots for the cells they capture: by capture weight, relative to the largest where a cell lies in a spot. */
function ofCells(values: Float32Array, spots: ObservedSpots): Float32Array {
  const { nRows, nCols, indptr, indices, data } = spots.overlap;
  const sum = new Float64Array(nCols);
  for (let s = 0; s < nRows; s++) {
    const value = values[s];
    if (value === 0) continue;
    for (let k = indptr[s]; k < indptr[s + 1]; k++) sum[indices[k]] += data[k] * value;
  }
  const scales = scalesOf(spots);
  const found = new Float32Array(nCols);
  for (let cell = 0; cell < nCols; cell++) {
    if (scales[cell] > 0) found[cell] = sum[cell] / scales[cell];
  }
  return found;
}

/** Found once for all names. */
const knownScales = new WeakMap<ObservedSpots, Float64Array>();

/** What the values of each cell's spots are relative to: its largest capture weight where it lies in a spot, else all of them. */
function scalesOf(spots: ObservedSpots): Float64Array {
  const before = knownScales.get(spots);
  if (before) return before;
  const { overlap, observed } = spots;
  const scales = new Float64Array(overlap.nCols);
  for (let k = 0; k < overlap.indices.length; k++) {
    const cell = overlap.indices[k];
    const weight = overlap.data[k];
    scales[cell] = observed[cell] ? Math.max(scales[cell], weight) : scales[cell] + weight;
  }
  knownScales.set(spots, scales);
  return scales;
}
