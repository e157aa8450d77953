/** What a table's numbers have between whole and fraction. */
export type DecimalMark = "." | ",";

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const WITH_COMMA = /^[+-]?\d*,\d+(e[+-]?\d+)?$/i;
/** Groups of three digits: "7,237" may be 7237 or 7.237. */
const IN_GROUPS = /^[+-]?\d{1,3}(,\d{3})+$/;
const MISSING = /^(|#?n\/?a|<na>|nan|null|none|#null!)$/i;

/** Whether a cell says that it has no value: empty, NA, NaN, null, None. */
export function isMissing(cell: unknown): boolean {
  if (cell === null || cell === undefined) return true;
  return typeof cell === "string" ? MISSING.test(cell) : Number.isNaN(cell);
}

/** A cell's number; NaN if it is not one. */
export function numberOf(cell: unknown, mark: DecimalMark): number {
  if (typeof cell !== "string") {
    return typeof cell === "number" || typeof cell === "bigint" ? Number(cell) : Number.NaN;
  }
  if (NUMBER.test(cell)) return mark === "." || !cell.includes(".") ? Number(cell) : Number.NaN;
  return mark === "," && WITH_COMMA.test(cell) ? Number(cell.replace(",", ".")) : Number.NaN;
}

/** 1 or 0 for a cell that says yes or no in any usual way; NaN for others. */
export function truthOf(cell: unknown, mark: DecimalMark): number {
  if (typeof cell === "boolean") return Number(cell);
  if (typeof cell === "string" && isWord(cell)) return Number(/^t/i.test(cell));
  const number = numberOf(cell, mark);
  return number === 0 || number === 1 ? number : Number.NaN;
}

/** Whether a cell is TRUE or FALSE in words. */
export function isWord(cell: string): boolean {
  return /^(true|false|t|f)$/i.test(cell);
}

/**
 * The decimal mark in these cells; null if "7,237" may be either and no other cell tells. O(cells).
 */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark | null {
  let isUnclear = false;
  for (const cell of cells) {
    if (!cell.includes(",")) continue;
    if (/^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(cell) || /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(cell)) {
      return null;
    }
    if (IN_GROUPS.test(cell)) isUnclear = true;
    else if (WITH_COMMA.test(cell)) return ",";
  }
  return isUnclear ? null : ".";
}
