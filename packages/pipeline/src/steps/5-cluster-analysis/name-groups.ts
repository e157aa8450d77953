import type { ChosenTypes } from "./choose-types.ts";
import {
  relativeRates,
  relativeRatesInTurns,
  spotShares,
  type ObservedSpots,
  type SpotShares,
} from "../../types/group-rates.ts";
import { likelihoodRatios } from "./likelihood-ratios.ts";
import type { NameBook } from "./name-book.ts";
import type { NamedMarkers } from "../../types/name-clusters.ts";
import { valuesOfCells } from "./values-of-cells.ts";

/** A name needs at least this many observed UMIs of its markers in total. */
const LEAST_UMIS = 5;
/** Minimum z score, one-sided, compared with the same number of markers drawn from all types. */
const LEAST_Z = 1.64;
/** The same for the best of the types that a coarser name covers. */
const LEAST_Z_OF_BEST = 2.3;
/** A rival is considered if it has at least this many markers that the name lacks. */
const LEAST_OF_RIVAL = 2;
/** Lower limit for raises, also used if there are no markers. */
const LEAST_RAISE = -1;
const NO_RIVAL = { raise: LEAST_RAISE, z: 0 };

/** For each cell, how much markers are raised in the cells with its name; nCells each, 0 for unnamed cells. */
export interface RaisedMarkers {
  /** Raise of the best rival's markers, excluding those shared with the name, in standard errors. */
  rival: Float32Array;
  /** Mean log rate of the name's markers minus that of the rival's. */
  lead: Float32Array;
}

/** Cells grouped by name, and the evidence of the spots for each group. */
export class NameGroups {
  readonly #spots: ObservedSpots;
  readonly #chosen: ChosenTypes;
  readonly #shares: SpotShares;
  readonly #genes: number[];
  /** For each gene, rates of the groups relative to the whole sample. */
  readonly #rates = new Map<number, Float64Array>();
  readonly #sets: readonly NamedMarkers[];
  readonly #found = new Map<string, Float32Array>();
  readonly #moments = new Map<number, { mean: number; variance: number }>();

  /** `pause` receives the fraction done. */
  static async open(
    chosen: ChosenTypes,
    sets: readonly NamedMarkers[],
    spots: ObservedSpots,
    pause: (fraction: number) => Promise<void>,
  ): Promise<NameGroups> {
    const groups = new NameGroups(chosen, sets, spots);
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

  /** Computes the groups' rates, once per gene. */
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

  /** Names in use. */
  names(): number[] {
    return [...new Set(this.#chosen.type)].filter((type) => type >= 0);
  }

  #relative(gene: number, group: number): number {
    return this.#rates.get(gene)![group];
  }

  /** Mean log rate of markers in a group minus that of all markers, also in standard errors. */
  #raised(genes: readonly number[], group: number): { z: number; raise: number; error: number } {
    const { mean, variance } = this.#logRates(group);
    const own = genes.reduce((sum, gene) => sum + Math.log(this.#relative(gene, group)), 0);
    const raise = own / Math.max(1, genes.length) - mean;
    const error = Math.sqrt(variance / Math.max(1, genes.length));
    return { z: error > 0 ? raise / error : 0, raise, error };
  }

  /** Mean and variance of all markers' log rates in a group, computed once. */
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

  /** Whether any member's markers are raised in a group beyond chance, and no other type's are clearly more raised. */
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

  /** How much the markers of each name are raised in its cells, compared with those that only a rival has. */
  raisedMarkers(book: NameBook): RaisedMarkers {
    const known = new Map(this.names().map((type) => [type, this.#againstRivals(book, type)]));
    const of = (pick: (found: { rival: number; lead: number }) => number): Float32Array =>
      Float32Array.from(this.#chosen.type, (type) => (type < 0 ? 0 : pick(known.get(type)!)));
    return { rival: of(({ rival }) => rival), lead: of(({ lead }) => lead) };
  }

  #againstRivals(book: NameBook, type: number): { rival: number; lead: number } {
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

  /** UMIs of genes attributed to a group by its share of each spot. */
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

  /** A group's share of each spot's capture. */
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

  /** For each cell, the mean share of cells with its name in its spots, by capture weight. */
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

  /** Evidence for each cell's name from the cell's spots. */
  local(book: NameBook): Float32Array {
    const evidence = new Float32Array(this.#chosen.type.length);
    const byName = new Map(
      this.names().map((type) => [type, this.localOf(book.membersOf(type), type)]),
    );
    this.#chosen.type.forEach((type, cell) => {
      if (type >= 0) evidence[cell] = byName.get(type)![cell];
    });
    return evidence;
  }

  /** The same evidence for cells of a group, using the markers of the best member in each spot. nCells. */
  localOf(members: readonly NamedMarkers[], group: number): Float32Array {
    const key = `${group} ${members.map(({ set }) => set.name).join("/")}`;
    const known = this.#found.get(key);
    if (known) return known;
    const inSpots = new Float32Array(this.#spots.overlap.nRows).fill(
      members.length > 0 ? -Infinity : 0,
    );
    for (const { genes } of members) {
      this.#ratesOf(genes);
      const ratios = likelihoodRatios(genes, group, this.#spots, this.#shares, (gene, other) =>
        this.#relative(gene, other),
      );
      for (let s = 0; s < ratios.length; s++) inSpots[s] = Math.max(inSpots[s], ratios[s]);
    }
    const found = valuesOfCells(inSpots, this.#spots);
    this.#found.set(key, found);
    return found;
  }
}
