import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { GroupEdit, Grouping } from "./shown-state.ts";

export interface ShownGroup {
  name: string;
  /** #rrggbb */
  color: string;
  /** Cells. */
  count: number;
  /** As the analysis called it. */
  originalName: string;
}

/** The groups of one kind as the manifest has them. */
export function groupsOf(manifest: ViewerManifest, of: Grouping): ViewerManifest["types"] {
  const { types, clusters, domains, evidence = [], imageQuality = [] } = manifest;
  return { type: types, cluster: clusters, domain: domains, evidence, imageQuality }[of];
}

/** The groups of one kind under the names and in the colors that the person gave them. */
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
