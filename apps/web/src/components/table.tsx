import type { ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  className?: string;
}

/** How columns of numbers look. */
export const NUMBERS = { align: "right", className: "tabular-nums" } as const;

/** Tables with more columns are set closer where the window is not wide, so that the last one stays on the screen. */
const MANY_COLUMNS = 5;

/** Drawn by CSS but not part of the cell's text: screen readers know the column's name from the table. */
const HEADING_BEFORE =
  "max-md:before:text-[0.8125rem] max-md:before:text-ink-3 max-md:before:content-[attr(data-heading)_/_'']";

/**
 * A table with 44 px rows; on narrow screens every row becomes a block of "heading: value" lines.
 * `caption` names it for screen readers. Explicit roles, because a changed display removes the table's own.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, at: number) => string;
}) {
  const cellClass = (column: Column<Row>): string =>
    joinClasses(
      "px-4 md:first:pl-6 md:last:pr-6",
      column.align === "right" ? "md:text-right" : "text-left",
      columns.length > MANY_COLUMNS && "md:max-xl:px-2",
      column.wideOnly && "max-md:hidden",
      column.className,
    );
  return (
    <div className="overflow-x-auto">
      <table role="table" aria-label={caption} className="w-full border-collapse max-md:block">
        <thead className="max-md:sr-only">
          <tr role="row" className="border-y border-line bg-canvas text-ink-3">
            {columns.map((column, at) => (
              <th
                key={at}
                role="columnheader"
                scope="col"
                className={joinClasses(
                  "h-10 text-xs font-medium whitespace-nowrap",
                  columns.length > MANY_COLUMNS && "md:max-xl:whitespace-normal",
                  cellClass(column),
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row, at) => (
            <tr
              key={rowKey(row, at)}
              role="row"
              className="border-line not-last:border-b hover:bg-canvas max-md:block max-md:border-t max-md:py-2.5 max-md:not-last:border-b-0"
            >
              {columns.map((column, at) => (
                <td
                  key={at}
                  role="cell"
                  data-heading={at > 0 ? column.header : undefined}
                  className={joinClasses(
                    "py-1.5 max-md:flex max-md:max-w-none max-md:items-center max-md:justify-between max-md:gap-4 max-md:py-1 md:h-11",
                    at > 0 && HEADING_BEFORE,
                    cellClass(column),
                  )}
                >
                  <span
                    className={joinClasses("min-w-0 md:contents", at > 0 && "max-md:text-right")}
                  >
                    {column.cell(row)}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
