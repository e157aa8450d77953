import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { HiddenGroups } from "@stipple/viewer/cells";
import { byGrouping, type Grouping } from "@stipple/viewer/choices";
import type { GroupEdits, ShownState } from "./shown-state.ts";

export interface ShownGroup {
  name: string;
  /** #rrggbb */
  color: string;
  /** Number of cells. */
  count: number;
  /** Name given by the analysis. */
  originalName: string;
}

/** Whether a group holds the cells that no type fits: it is no type. */
export function isUnknown({ name }: { name: string }): boolean {
  return name === "Unknown";
}

/** Whether cells have this type: not one that was merged into another. */
export function isFound(type: { name: string; count: number }): boolean {
  return type.count > 0 && !isUnknown(type);
}

/** What a view contains, with the groups of the clustering that is shown. */
export type GroupedManifest = ViewerManifest & { own?: ViewerManifest["types"] };

/** The groups of one kind, as in the manifest. */
export function groupsOf(manifest: GroupedManifest, of: Grouping): ViewerManifest["types"] {
  const { types, clusters, domains, own = [], evidence = [], imageQuality = [] } = manifest;
  return { type: types, cluster: clusters, domain: domains, own, evidence, imageQuality }[of];
}

/** The groups of one kind, with the user's names and colors. */
export function shownGroups(
  manifest: GroupedManifest,
  of: Grouping,
  edits: GroupEdits,
): ShownGroup[] {
  const groups = groupsOf(manifest, of);
  const old = oldKeys(groups);
  return groups.map(({ name, color, count }, index) => {
    const edit = edits[name] ?? edits[old[index]!];
    return {
      name: edit?.name ?? name,
      color: edit?.color ?? color,
      count,
      originalName: name,
    };
  });
}

/** Indices of the groups that are hidden by their original names. */
export function hiddenGroups(
  manifest: GroupedManifest,
  hidden: ShownState["hidden"],
): HiddenGroups {
  return byGrouping((of) => {
    const groups = groupsOf(manifest, of);
    const old = oldKeys(groups);
    const names = new Set(hidden[of]);
    return [...groups.keys()].filter(
      (index) => names.has(groups[index]!.name) || names.has(old[index]!),
    );
  });
}

/** Older links and saved views number the groups. Such a number does not count where it is a group's name. */
function oldKeys(groups: ViewerManifest["types"]): string[] {
  const names = new Set(groups.map(({ name }) => name));
  return groups.map(({ name }, index) => (names.has(`${index}`) ? name : `${index}`));
}
