import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { hasCell } from "@stipple/viewer/cells";
import type { Grouping } from "@stipple/viewer/choices";
import { NO_CELLS, type Cells, type ColumnArray } from "@stipple/viewer/source";
import { groupsOf, shownGroups } from "./shown-groups.ts";
import type { AssignedCells, ViewerState } from "./viewer-store.ts";

/** Groups that can be merged, and where the manifest lists them. */
const MERGEABLE = { type: "types", cluster: "clusters", domain: "domains" } as const;
type Mergeable = keyof typeof MERGEABLE;

const NONE = 65_535;

/** The groups as people annotated them. */
export interface AnnotatedGroups {
  manifest: ViewerManifest;
  cells: Cells;
  /** Groupings whose cells are not grouped as by the analysis. */
  regrouped: ReadonlySet<Grouping>;
}

/**
 * Groups that share a name become one, and cells whose type a person set get it. Every group keeps its index: one that
 * was merged into another has no cells, and new types follow the others. O(nCells) if anything is regrouped.
 */
export function annotatedGroups(
  manifest: ViewerManifest,
  cells: Cells,
  { edits, assigned }: Pick<ViewerState, "edits" | "assigned">,
): AnnotatedGroups {
  const annotated = { manifest, cells, regrouped: new Set<Grouping>() };
  if (cells === NO_CELLS) return annotated;
  for (const of of Object.keys(MERGEABLE) as Mergeable[]) {
    const column = cells[of];
    const done = column && regrouped(manifest, of, column, edits, of === "type" ? assigned : []);
    if (!done) continue;
    annotated.regrouped.add(of);
    annotated.manifest = { ...annotated.manifest, [MERGEABLE[of]]: done.groups };
    annotated.cells = { ...annotated.cells, [of]: done.column };
  }
  return annotated;
}

/** Whether a group was merged into another, which has its cells. */
export function isMerged(
  group: { name: string; count: number },
  groups: readonly { name: string; count: number }[],
): boolean {
  return group.count === 0 && groups.some(({ name, count }) => name === group.name && count > 0);
}

function regrouped(
  manifest: ViewerManifest,
  of: Mergeable,
  column: ColumnArray,
  edits: ViewerState["edits"],
  assigned: readonly AssignedCells[],
): { groups: ViewerManifest["types"]; column: Uint16Array } | null {
  const groups = groupsOf(manifest, of).map((group) => ({ ...group, count: 0 }));
  const names = shownGroups(manifest, of, edits[of]).map(({ name }) => name);
  const target = names.map((name) => {
    const original = groups.findIndex((group) => group.name === name);
    return original >= 0 && names[original] === name ? original : names.indexOf(name);
  });
  if (assigned.length === 0 && target.every((to, from) => to === from)) return null;
  const next = Uint16Array.from(column, (group) => target[group] ?? NONE);
  for (const { type, color, cells } of assigned) {
    let to = names.indexOf(type);
    if (to < 0) to = groups.findIndex(({ name }) => name === type);
    if (to < 0) {
      to = groups.push({ name: type, color, count: 0 }) - 1;
      names.push(edits[of][type]?.name ?? type);
      // A new type may have been given the name of another one.
      const same = names.indexOf(names[to]!);
      target.push(target[same] ?? to);
    }
    to = target[to]!;
    for (let cell = 0; cell < next.length; cell++) if (hasCell(cells, cell)) next[cell] = to;
  }
  for (const group of next) if (group !== NONE) groups[group]!.count++;
  return { groups, column: next };
}
