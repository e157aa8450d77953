/**
 * Cells by group, as rows of a sparse matrix: group g holds `cells[offsets[g]]` … `cells[offsets[g + 1] − 1]`,
 * ascending. A cell may be in several groups.
 */
export interface CellGroups {
  offsets: Uint32Array;
  cells: Uint32Array;
}

/**
 * Sorts cells by group, skipping those with an index of `nGroups` or more and those failing `within`. O(nCells +
 * nGroups).
 */
export function groupsByIndex(
  index: ArrayLike<number>,
  nGroups: number,
  within: (cell: number) => boolean = () => true,
): CellGroups {
  const offsets = new Uint32Array(nGroups + 1);
  const kept = new Uint8Array(index.length);
  for (let cell = 0; cell < index.length; cell++) {
    const group = index[cell]!;
    if (group >= nGroups || !within(cell)) continue;
    kept[cell] = 1;
    offsets[group + 1]! += 1;
  }
  for (let group = 0; group < nGroups; group++) offsets[group + 1]! += offsets[group]!;
  const cells = new Uint32Array(offsets[nGroups]!);
  const next = offsets.slice();
  for (let cell = 0; cell < index.length; cell++) {
    if (kept[cell] === 1) cells[next[index[cell]!]!++] = cell;
  }
  return { offsets, cells };
}

/** Cells by set, for sets that may overlap; `sets` hold their cells in ascending order. */
export function groupsOfSets(
  sets: readonly Uint32Array[],
  within: (cell: number) => boolean = () => true,
): CellGroups {
  const kept = sets.map((cells) => cells.filter(within));
  const offsets = new Uint32Array(sets.length + 1);
  kept.forEach((cells, group) => (offsets[group + 1] = offsets[group]! + cells.length));
  const cells = new Uint32Array(offsets[sets.length]!);
  kept.forEach((part, group) => cells.set(part, offsets[group]));
  return { offsets, cells };
}

/** Indices of the non-empty groups. */
export function groupsWithCells({ offsets }: CellGroups): number[] {
  return Array.from({ length: offsets.length - 1 }, (_, group) => group).filter(
    (group) => offsets[group + 1]! > offsets[group]!,
  );
}
