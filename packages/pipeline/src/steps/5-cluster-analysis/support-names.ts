import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { ChosenTypes } from "./choose-types.ts";
import type { ObservedSpots } from "./group-rates.ts";
import { NameBook } from "./name-book.ts";
import type { ClusterName, NamedMarkers } from "./name-clusters.ts";
import { NameGroups, type RaisedMarkers } from "./name-groups.ts";
import { nameOfNameless, type Likeliest } from "./name-of-nameless.ts";

/** A spot is evidence against a name where its counts are this much more likely (natural log ratio) without such cells. */
const MOST_AGAINST = -2;
/** … and for a coarser name where they are this much likelier with them. */
const LEAST_FOR = 2;
/** How often cells are grouped by their names at most: twice, with names from clusters, and in the end. */
const MOST_GROUPINGS = 4;

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
  const groupsNow = (): Promise<NameGroups> => {
    const from = opened++ / MOST_GROUPINGS;
    return NameGroups.open(chosen, sets, spots, async (fraction) => {
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
  const book = new NameBook(chosen, sets, classes);
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
