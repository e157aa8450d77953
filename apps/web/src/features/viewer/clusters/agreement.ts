/** How two groupings of the same cells agree. */
export interface Agreement {
  /** Cells in a group of both. */
  cells: number;
  /** [group of the first][group of the second]: number of cells. */
  table: readonly (readonly number[])[];
  /** Adjusted Rand index (Hubert & Arabie 1985): 1 = identical groups, 0 = agreement by chance; NaN if undefined. */
  adjustedRand: number;
}

/** The contingency table of two groupings, one index per cell; indices beyond the groups mean none. O(cells + table). */
export function agreementOf(
  first: { column: ArrayLike<number>; groups: number },
  second: { column: ArrayLike<number>; groups: number },
): Agreement {
  const table = Array.from({ length: first.groups }, () =>
    new Array<number>(second.groups).fill(0),
  );
  let cells = 0;
  for (let cell = 0; cell < first.column.length; cell++) {
    const [a, b] = [first.column[cell]!, second.column[cell]!];
    if (a >= first.groups || b >= second.groups) continue;
    table[a]![b]! += 1;
    cells += 1;
  }
  return { cells, table, adjustedRand: adjustedRand(table, cells) };
}

const pairs = (n: number): number => (n * (n - 1)) / 2;
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function adjustedRand(table: readonly (readonly number[])[], cells: number): number {
  const rows = sumOf(table.map((row) => pairs(sumOf(row))));
  const columns = sumOf(
    (table[0] ?? []).map((_, at) => pairs(sumOf(table.map((row) => row[at]!)))),
  );
  const both = sumOf(table.map((row) => sumOf(row.map(pairs))));
  const byChance = (rows * columns) / pairs(cells);
  const most = (rows + columns) / 2;
  // One group each, or every cell alone: both groupings are the same.
  if (most === byChance) return cells < 2 ? NaN : 1;
  return (both - byChance) / (most - byChance);
}
