import type {
  AnnotationChange,
  AnnotationValue,
  NucleusChange,
} from "@stipple/contract/annotations";
import { newId } from "../annotations/new-id.ts";
import type { Nucleus, OutlineCorners } from "../state/nucleus-work.ts";

export type NucleusEdit = AnnotationValue<"outlines">;
/** Edits of these results by the ids of their annotations. */
export type NucleusEdits = ReadonlyMap<string, NucleusEdit>;

/** Nuclei that are replaced by others, or by none. */
export interface Replacement {
  how: NucleusChange;
  nuclei: readonly Nucleus[];
  rings: readonly OutlineCorners[];
}

/**
 * What to change in the annotations for some nuclei to be replaced. An edit of what another edit has made takes its
 * place, so edits never depend on each other's order.
 */
export function changesOfNuclei(
  edits: NucleusEdits,
  replacements: readonly Replacement[],
  cellsKey: string,
): AnnotationChange[] {
  const now = new Map(edits);
  for (const replacement of replacements) replace(now, replacement, cellsKey);
  const gone = [...edits.keys()].filter((id) => !now.has(id));
  const changed = [...now].filter(([id, edit]) => edit !== edits.get(id));
  return [
    ...gone.map((id) => ({ id, kind: "outlines" as const, value: null })),
    ...changed.map(([id, value]) => ({ id, kind: "outlines" as const, value })),
  ];
}

function replace(
  now: Map<string, NucleusEdit>,
  { how, nuclei, rings }: Replacement,
  cellsKey: string,
): void {
  const given = new Set(nuclei.map(({ ring }) => ring));
  const removed = new Set(nuclei.flatMap(({ cell }) => (cell === null ? [] : [cell])));
  const added: OutlineCorners[] = [];
  const before = [...now].filter(([, edit]) => edit.added.some((ring) => given.has(ring)));
  for (const [id, edit] of before) {
    for (const cell of edit.removed) removed.add(cell);
    added.push(...edit.added.filter((ring) => !given.has(ring)));
    now.delete(id);
  }
  added.push(...rings);
  // Nothing remains of what was only added.
  if (removed.size === 0 && added.length === 0) return;
  const cells = [...removed].sort((a, b) => a - b);
  const id = before[0]?.[0] ?? idOf(cells, cellsKey);
  now.set(id, { how, removed: cells, added, cellsKey });
}

/** The same for two people who change the same nucleus, so that they are told of each other. */
function idOf([first]: readonly number[], cellsKey: string): string {
  return first === undefined ? newId() : `nucleus ${first} ${cellsKey.slice(0, 16)}`;
}

/** Nuclei that are still there. */
export function stillThere(nuclei: readonly Nucleus[], edits: NucleusEdits): Nucleus[] {
  const all = [...edits.values()];
  const removed = new Set(all.flatMap((edit) => edit.removed));
  const added = new Set(all.flatMap((edit) => edit.added));
  return nuclei.filter(({ cell, ring }) => (cell === null ? added.has(ring) : !removed.has(cell)));
}

/** How many edits there are of each kind. */
export function countEdits(edits: NucleusEdits): Map<NucleusChange, number> {
  const counts = new Map<NucleusChange, number>();
  for (const { how } of edits.values()) counts.set(how, (counts.get(how) ?? 0) + 1);
  return counts;
}
