import { useMemo, useState } from "react";

export interface Order<Column> {
  by: Column;
  descending: boolean;
}

/** Rows in the order that was chosen last, `first` before that (null: as they are), and what chooses another. */
export function useOrdered<Row, Column extends string>(
  rows: readonly Row[],
  /** The same function for the same values. */
  valueOf: (row: Row, column: Column) => string | number,
  first: Order<Column> | null = null,
) {
  const [order, onOrder] = useState(first);
  const ordered = useMemo(
    () => (order ? inOrder(rows, (row) => valueOf(row, order.by), order.descending) : rows),
    [rows, valueOf, order],
  );
  return { rows: ordered, valueOf, order, onOrder };
}

/** Rows by a value of each, "CD3" before "CD10". Those that are alike keep their order. O(n log n). */
export function inOrder<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number,
  descending: boolean,
): Row[] {
  const sign = descending ? -1 : 1;
  const { compare } = new Intl.Collator("en", { numeric: true });
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    return sign * (typeof a === "string" ? compare(a, String(b)) : a - Number(b));
  });
}
