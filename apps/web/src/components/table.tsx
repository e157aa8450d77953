import type { ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

export interface Column<Row> {
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  className?: string;
}

/** A table with 44 px rows; scrolls sideways in its own box. `caption` is read by screen readers only. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) {
  const cellClass = (column: Column<Row>): string =>
    joinClasses(
      "px-6",
      column.align === "right" ? "text-right" : "text-left",
      column.wideOnly && "hidden md:table-cell",
      column.className,
    );
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-y border-line bg-canvas text-ink-3">
            {columns.map((column, at) => (
              <th
                key={at}
                scope="col"
                className={joinClasses(
                  "h-10 text-xs font-medium whitespace-nowrap",
                  cellClass(column),
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0 hover:bg-canvas">
              {columns.map((column, at) => (
                <td key={at} className={joinClasses("h-11 py-1.5", cellClass(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
