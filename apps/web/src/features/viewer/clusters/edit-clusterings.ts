import { NO_GROUP, shownClustering, type Clustering } from "../state/clusterings.ts";
import { uniqueName } from "../state/free-names.ts";
import type { ViewerState, ViewerStore } from "../state/viewer-store.ts";

/** More groups can neither be kept nor told apart. */
export const MAX_GROUPS = 500;

/** Adds a clustering and shows it. */
export function addClustering(store: ViewerStore, clustering: Clustering): void {
  store.setState(({ clusterings }) => ({ clusterings: [...clusterings, clustering] }));
  showClustering(store, clustering.id);
}

/** Colors the cells by a clustering, all of its groups shown. */
export function showClustering(store: ViewerStore, id: string): void {
  store.setState(({ hidden }) => ({
    clustering: id,
    colorBy: "own",
    hidden: { ...hidden, own: [] },
  }));
}

/** Replaces a clustering. If its groups are others, none of them stays hidden. */
export function changeClustering(store: ViewerStore, changed: Clustering): void {
  store.setState(({ clusterings, hidden }) => {
    const before = clusterings.find(({ id }) => id === changed.id);
    const isRegrouped = before?.labels !== changed.labels;
    return {
      clusterings: clusterings.map((one) => (one === before ? changed : one)),
      ...(isRegrouped && { hidden: { ...hidden, own: [] } }),
    };
  });
}

export function removeClustering(store: ViewerStore, id: string): void {
  store.setState((state) => ({
    ...withClusterings(
      state,
      state.clusterings.filter((one) => one.id !== id),
    ),
    clustering: state.clustering === id ? null : state.clustering,
  }));
}

/**
 * The state with these clusterings. If the shown one is gone, the groups of the next one are all shown; if there is none, the
 * analysis's clusters color the cells.
 */
export function withClusterings(
  state: ViewerState,
  clusterings: readonly Clustering[],
): Partial<ViewerState> {
  const before = shownClustering(state);
  const isGone = before !== undefined && !clusterings.some(({ id }) => id === before.id);
  return {
    clusterings,
    ...(isGone && { hidden: { ...state.hidden, own: [] } }),
    ...(isGone &&
      clusterings.length === 0 &&
      state.colorBy === "own" && { colorBy: "cluster" as const }),
  };
}

/** The clustering with some of its groups made one, which takes the place and color of the first. */
export function merged(clustering: Clustering, indices: readonly number[]): Clustering {
  const [first, ...others] = indices.toSorted((a, b) => a - b);
  if (first === undefined || others.length === 0) return clustering;
  const { groups, labels } = clustering;
  const kept = [...groups.keys()].filter((index) => !others.includes(index));
  const place = new Uint16Array(NO_GROUP + 1).fill(NO_GROUP);
  kept.forEach((index, at) => (place[index] = at));
  for (const index of others) place[index] = place[first]!;
  const joined = [first, ...others].map((index) => groups[index]!.name).join(" + ");
  const taken = kept.filter((index) => index !== first).map((index) => groups[index]!.name);
  return {
    ...clustering,
    groups: kept.map((index) =>
      index === first
        ? { ...groups[index]!, name: uniqueName(joined, new Set(taken)) }
        : groups[index]!,
    ),
    labels: labels.map((label) => place[label]!),
  };
}

/** The clustering with one group divided into clusters of its cells, "3.1", "3.2" … after the others' order. */
export function divided(
  clustering: Clustering,
  index: number,
  found: { labels: Uint16Array; colors: readonly string[] },
): Clustering {
  const { groups, labels } = clustering;
  const whole = groups[index]!;
  const others = groups.filter((_, at) => at !== index);
  const taken = new Set(others.map(({ name }) => name));
  const free = freeColors(others, found.colors);
  const parts = found.colors.map((color, part) => {
    const name = uniqueName(`${whole.name}.${part + 1}`, taken);
    taken.add(name);
    return { name, color: free[part] ?? color };
  });
  // Cells of the group that were not clustered stay together.
  const hasRest = labels.some(
    (label, cell) => label === index && found.labels[cell]! >= parts.length,
  );
  const rest = hasRest ? [whole] : [];
  return {
    ...clustering,
    groups: [...groups.slice(0, index), ...parts, ...rest, ...groups.slice(index + 1)],
    labels: labels.map((label, cell) => {
      if (label === NO_GROUP || label < index) return label;
      if (label > index) return label - 1 + parts.length + rest.length;
      return index + Math.min(found.labels[cell]!, parts.length);
    }),
  };
}

/** Colors for further groups, those that no group has first. */
function freeColors(
  groups: Clustering["groups"],
  colors: readonly string[],
): readonly (string | undefined)[] {
  const taken = new Set(groups.map(({ color }) => color.toLowerCase()));
  const free = [...colors, ...MORE_COLORS].filter((color) => !taken.has(color.toLowerCase()));
  return [...new Set(free)];
}

/** Told apart from each other, and from most of a clustering's colors. */
const MORE_COLORS = [
  "#8dd3c7",
  "#bebada",
  "#fb8072",
  "#80b1d3",
  "#fdb462",
  "#b3de69",
  "#bc80bd",
  "#6a3d9a",
  "#b15928",
  "#1f78b4",
  "#33a02c",
  "#e31a1c",
] as const;
