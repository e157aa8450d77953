import type { CellGroups } from "../../annotations/annotated-groups.ts";

/** Types of cells as people see them: as annotated, otherwise as computed. */
export interface ShownTypes {
  typeOf: Int32Array;
  typeNames: readonly string[];
  typeColors: readonly string[];
}

/** The annotated types if there are any, otherwise the computed ones. */
export function shownTypes(computed: ShownTypes, annotated: CellGroups | null): ShownTypes {
  if (!annotated) return computed;
  return {
    typeOf: annotated.groupOf,
    typeNames: annotated.groups.map(({ name }) => name),
    typeColors: annotated.groups.map(({ color }) => color),
  };
}
