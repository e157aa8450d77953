import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { ChosenTypes } from "./choose-types.ts";
import type { ObservedSpots } from "../../types/group-rates.ts";
import { NameBook } from "./name-book.ts";
import type { ClusterName, NamedMarkers } from "../../types/name-clusters.ts";
import { NameGroups, type RaisedMarkers } from "./name-groups.ts";
import { nameOfNameless, type Likeliest } from "./name-of-nameless.ts";

/** A spot contradicts a name if its counts are this much likelier (natural log ratio) without such cells. */
const MOST_AGAINST = -2;
/** A spot supports a coarser name if its counts are this much likelier with such cells. */
const LEAST_FOR = 2;
/** Maximum number of times cells are grouped by name: twice, once with names from clusters, and once at the end. */
const MOST_GROUPINGS = 4;

export interface NameSupport {
  chosen: ChosenTypes;
  /** For each cell, log-likelihood ratio of its spots' counts with and without cells of its name; 0 if not tested. */
  evidence: Float32Array;
  /** For each cell, the share of cells with its name in what its spots capture. */
  purity: Float32Array;
  /** For each cell, how much its name's markers, and a rival's, are raised in the cells with that name. */
  raised: RaisedMarkers;
  /** Names that were withdrawn, and for how many cells. */
  takenBack: Record<string, number>;
  /** 1 = the cell's name comes from its cluster. */
  byCluster: Uint8Array;
  /** Markers behind such names. */
  clusterMarkers: Map<string, ReadonlySet<number>>;
}

/** Clusters whose unnamed cells are named together. */
export interface NamelessCells {
  clusters: Int32Array;
  /** 1 = the cell may get a name. */
  eligible: Uint8Array;
  /** Name of each cluster, if any. */
  names: readonly (ClusterName | undefined)[];
  /** Most likely type of a cell, if types were fitted. */
  likeliest?: ((cell: number) => Likeliest | undefined) | undefined;
  /** Markers of broad classes. */
  classes: readonly NamedMarkers[];
}

/**
 * Checks every name against the spots' UMIs: docs/methods/5-cluster-analysis.md, "Evidence". A name not supported by
 * its own markers is replaced by a supported coarser one, or removed: first for all cells with the name together, then
 * for cells of single spots. In between, unnamed cells are named cluster by cluster.
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
  // Twice, because cells that lost a name change the composition of the other groups.
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
