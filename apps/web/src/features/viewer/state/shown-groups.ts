import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { GroupEdit, Grouping } from "./shown-state.ts";

export interface ShownGroup {
  name: string;
  /** #rrggbb */
  color: string;
  /** Number of cells. */
  count: number;
  /** Name given by the analysis. */
  originalName: string;
}

/** The groups of one kind, as in the manifest. */
export function groupsOf(manifest: ViewerManifest, of: Grouping): ViewerManifest["types"] {
  const { types, clusters, domains, evidence = [], imageQuality = [] } = manifest;
  return { type: types, cluster: clusters, domain: domains, evidence, imageQuality }[of];
}

/** The groups of one kind, with the user's names and colors. */
export function shownGroups(
  manifest: ViewerManifest,
  of: Grouping,
  edits: Readonly<Record<number, GroupEdit>>,
): ShownGroup[] {
  return groupsOf(manifest, of).map(({ name, color, count }, index) => ({
    name: edits[index]?.name ?? name,
    color: edits[index]?.color ?? color,
    count,
    originalName: name,
  }));
}
