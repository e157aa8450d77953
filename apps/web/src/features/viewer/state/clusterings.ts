import { type Cells, NO_CELLS } from "@stipple/viewer/source";
import type { GroupEdit } from "./shown-state.ts";
import type { GroupedManifest } from "./shown-groups.ts";
import type { ViewerState } from "./viewer-store.ts";

/** A clustering that a person made. */
export interface Clustering {
  /** Of its annotation. */
  id: string;
  name: string;
  /** What it was made with, for people. */
  settings: Readonly<Record<string, unknown>>;
  /** No two have the same name. */
  groups: readonly { name: string; color: string }[];
  /** Index into groups of every cell, {@link NO_GROUP} = none. */
  labels: Uint16Array<ArrayBuffer>;
}

export const NO_GROUP = 0xffff;

/** The clustering that is the grouping `own`. */
export function shownClustering({
  clusterings,
  clustering,
}: Pick<ViewerState, "clusterings" | "clustering">): Clustering | undefined {
  return clusterings.find(({ id }) => id === clustering) ?? clusterings[0];
}

/** Number of cells in each group. O(nCells). */
export function sizesOf({ labels, groups }: Pick<Clustering, "labels" | "groups">): number[] {
  const sizes = new Array<number>(groups.length).fill(0);
  for (const label of labels) if (label < sizes.length) sizes[label]! += 1;
  return sizes;
}

/** A view's data with a clustering as the grouping `own`. */
export function withOwnGroups(
  { manifest, cells }: { manifest: GroupedManifest; cells: Cells },
  shown: Clustering | undefined,
): { manifest: GroupedManifest; cells: Cells } {
  if (!shown || cells === NO_CELLS) return { manifest, cells };
  const sizes = sizesOf(shown);
  const own = shown.groups.map((group, index) => ({ ...group, count: sizes[index]! }));
  return { manifest: { ...manifest, own }, cells: { ...cells, own: shown.labels } };
}

/**
 * The clusterings with another name or color of a group of the shown one. A name that is taken stays as it was; a hidden
 * group stays hidden.
 */
export function editedClusterings(
  state: Pick<ViewerState, "clusterings" | "clustering" | "hidden">,
  group: string,
  { name, color }: GroupEdit,
): Pick<ViewerState, "clusterings" | "hidden"> {
  const shown = shownClustering(state);
  const wanted = name?.trim();
  const isTaken = shown?.groups.some((other) => other.name === wanted);
  const next = wanted && !isTaken ? wanted : group;
  const groups = shown?.groups.map((one) =>
    one.name === group ? { name: next, color: color ?? one.color } : one,
  );
  const own = state.hidden.own.map((one) => (one === group ? next : one));
  return {
    hidden: { ...state.hidden, own },
    clusterings: state.clusterings.map((one) =>
      one === shown && groups ? { ...one, groups } : one,
    ),
  };
}
