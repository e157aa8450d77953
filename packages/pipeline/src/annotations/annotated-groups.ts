import type { AnnotationValue } from "@stipple/contract";
import type { LegendEntry } from "../figures/legend.ts";

/** A grouping of the cells. */
export interface CellGroups {
  /** nCells: index into `groups`, or −1. */
  groupOf: Int32Array;
  groups: LegendEntry[];
}

/** Cells whose type a person set. */
export interface AssignedType {
  type: string;
  color: string;
  /** nCells: 1 = assigned. */
  cells: Uint8Array;
}

/**
 * The groups as people annotated them: groups that share a name are one, and assigned cells have their type, the last
 * assignment counting. The same as the view shows. Null if nothing is annotated. O(nCells · assignments).
 */
export function annotatedGroups(
  { groupOf, groups }: { groupOf: Int32Array; groups: readonly Omit<LegendEntry, "count">[] },
  values: readonly AnnotationValue<"name">[],
  assigned: readonly AssignedType[] = [],
): CellGroups | null {
  const edits = new Map(values.map((value) => [value.group, value]));
  if (assigned.length === 0 && !groups.some(({ name }) => edits.has(name))) return null;
  const names = groups.map(({ name }) => edits.get(name)?.label ?? name);
  const shown = new GroupList();
  const target = names.map((name) => {
    const own = groups.findIndex((group, at) => group.name === name && names[at] === name);
    const lead = groups[own < 0 ? names.indexOf(name) : own];
    return shown.place(name, edits.get(lead.name)?.color ?? lead.color);
  });
  const next = groupOf.map((group) => target[group] ?? -1);
  for (const { type, color, cells } of assigned) {
    const original = groups.findIndex(({ name }) => name === type);
    const renamed = original >= 0 ? names[original] : (edits.get(type)?.label ?? type);
    const name = names.includes(type) ? type : renamed;
    const to = shown.place(name, edits.get(type)?.color ?? color);
    // Later assignments mean a new type by the name that it has.
    names.push(name);
    for (let cell = 0; cell < next.length; cell++) if (cells[cell] === 1) next[cell] = to;
  }
  return counted(next, shown.groups);
}

/** A clustering made in the view; its groups with the same name are one. */
export function ownGroups(
  labels: Uint16Array,
  groups: AnnotationValue<"clusters">["groups"],
): CellGroups {
  const shown = new GroupList();
  const target = groups.map(({ name, color }) => shown.place(name, color));
  return counted(
    Int32Array.from(labels, (label) => target[label] ?? -1),
    shown.groups,
  );
}

/** Groups by name: the first color counts. */
class GroupList {
  readonly groups: LegendEntry[] = [];

  place(name: string, color: string): number {
    const known = this.groups.findIndex((group) => group.name === name);
    return known >= 0 ? known : this.groups.push({ name, color, count: 0 }) - 1;
  }
}

/** With the sizes of groups, and without empty ones: plotting tools pair categories and colors by position. */
function counted(groupOf: Int32Array, groups: readonly LegendEntry[]): CellGroups {
  const counts = new Array<number>(groups.length).fill(0);
  for (const group of groupOf) if (group >= 0) counts[group]++;
  const present = [...groups.keys()].filter((group) => counts[group] > 0);
  const code = new Int32Array(groups.length).fill(-1);
  present.forEach((group, at) => (code[group] = at));
  return {
    groupOf: groupOf.map((group) => (group < 0 ? -1 : code[group])),
    groups: present.map((group) => ({ ...groups[group], count: counts[group] })),
  };
}
