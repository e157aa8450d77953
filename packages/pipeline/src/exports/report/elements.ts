import { html, type Html } from "./html.ts";

/** A section with its heading; `id` is the target of the table of contents. */
export interface Section {
  id: string;
  title: string;
  body: Html;
}

/** Names and values in two columns. */
export function facts(
  rows: readonly (readonly [name: string, value: Html | string | number] | null)[],
): Html {
  return html`<dl class="facts">
    ${rows
      .filter((row) => row !== null)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

/** A column's title, what it shows of a row, and whether those are numbers. */
export type Column<Row> = readonly [
  title: string,
  cellOf: (row: Row) => Html | string | number,
  kind?: "number",
];

/** Number of rows from which a table gets a filter field. */
const FILTER_FROM = 12;

/**
 * A table that fits every page: on a narrow one each row becomes a block of "heading value" lines, with the roles of a
 * table. A long one scrolls on its own. Its headings sort it, and long tables can be filtered (`TABLE_SCRIPT`).
 */
export function table<Row>(columns: readonly (Column<Row> | null)[], rows: readonly Row[]): Html {
  const shown = columns.filter((column) => column !== null);
  const of = (kind: Column<Row>[2]): Html | null => (kind ? html` class="number"` : null);
  return html`<div class="scroll" tabindex="0">
    <table
      role="table"
      ${rows.length > 1 ? html`data-sortable` : null}
      ${rows.length >= FILTER_FROM ? html`data-filter` : null}
    >
      <thead>
        <tr role="row">
          ${shown.map(([title, , kind]) => html`<th scope="col" role="columnheader" ${of(kind)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${shown.map(
                ([title, cellOf, kind]) =>
                  html`<td role="cell" data-label="${title}" ${of(kind)}>
                    <span>${cellOf(row)}</span>
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A name after its color, if it has one. */
export function swatched(name: string, color: string | null): Html {
  if (color === null) return html`${name}`;
  // Colors come from data too, so only hexadecimal ones go into a style.
  const shown = /^#[0-9a-f]{6}$/i.test(color) ? color : "transparent";
  return html`<span class="swatch" style="background:${shown}"></span>${name}`;
}

/** A colored box for something that must not be overlooked. */
export function note(kind: "ok" | "info" | "warn" | "bad", body: Html): Html {
  return html`<div class="note ${kind}">${body}</div>`;
}

/** A whole number with separators of thousands: 12,345. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A number with so many decimals; a tiny negative one is 0. */
export function decimals(value: number, digits = 2): string {
  const rounded = Math.round(10 ** digits * value) / 10 ** digits;
  return (rounded + 0).toFixed(digits).replace("-", "−");
}

/** A fraction as a percentage: 0.123 is 12.3%. */
export function percent(fraction: number, digits = 1): string {
  return `${(100 * fraction).toFixed(digits)}%`;
}

/** A number with three significant digits; a dash if unknown. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}

/** The size of a file in kB, as a whole number: tables are sorted by it. */
export function kilobytes(size: number): string {
  return count(Math.ceil(size / 1000));
}
