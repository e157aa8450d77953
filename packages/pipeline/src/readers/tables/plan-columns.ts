import {
  decimalMarkOf,
  isMissing,
  isWord,
  numberOf,
  truthOf,
  type DecimalMark,
} from "./cell-values.ts";
import { restoredRow } from "./restored-row.ts";
import { mostCommon } from "./split-cells.ts";

/** What a column holds: text, yes or no, whole numbers, or numbers. */
export type ColumnKind = "text" | "flag" | "whole" | "number";

/** The columns that a table should have. */
export interface WantedColumns<Name extends string> {
  /** Kinds by name, in the order of a table without names of columns. */
  kinds: Readonly<Record<Name, ColumnKind>>;
  /** Columns that may be absent. */
  optional: readonly Name[];
  /** Other names, in lowercase with underscores. */
  aliases: Readonly<Record<string, Name>>;
  /** What to do if columns are missing or not clear. */
  remedy: string;
}

/** Where each column of a table is. */
export interface ColumnPlan<Name extends string> {
  at: Partial<Record<Name, number>>;
  /** Cells of a row. */
  width: number;
  mark: DecimalMark;
  /** Number of rows before the data. */
  skip: 0 | 1;
  /** A row of data that another program took for names of columns, as it was before. */
  restored: string[] | null;
  /** What is unusual about the columns, as parts of a sentence. */
  oddities: string[];
}

/** Throws the InputError for a table: what is wrong, and what to do. */
export type Fail = (what: string, remedy: string) => never;

/**
 * Finds the columns of a table by their names, else by content and order: names of rows, an index without a name,
 * names such as V1 to V6, and a first row taken for names are recognized. `fail` is called for columns that are
 * missing or not clear. O(cells).
 */
export function planColumns<Name extends string>(
  rows: readonly string[][],
  wanted: WantedColumns<Name>,
  fail: Fail,
): ColumnPlan<Name> {
  const first = rows[0] ?? [];
  const body = rows.length > 1 ? rows.slice(1) : rows;
  const width = rows.length > 1 ? mostCommon(body.map((cells) => cells.length)) : first.length;
  const oddities: string[] = [];
  const shift = first.length === width - 1 ? 1 : 0;
  const names = [...(shift === 1 ? [""] : []), ...first];
  const named = columnsByName(names, body, wanted, fail);
  if (named !== null) requireSameWidth(names, body, width, fail);
  const at = named ?? columnsByPlace(body, width, wanted, fail);
  const mark = markOf(rows, Object.values<number | undefined>(at), fail);
  if (mark === ",") oddities.push("decimal commas");
  const places = new Set(Object.values<number | undefined>(at));
  const firstPlace = Math.min(...(Object.values(at) as number[]));
  if (named === null ? firstPlace > 0 : isIndex(names[0]) && !places.has(0)) {
    oddities.push("a column of row names");
  }
  const plan = { at, width, mark, oddities };
  if (named !== null) return { ...plan, skip: 1, restored: null };
  const fits = (cells: readonly string[]): boolean => isData(cells, { at, width, mark }, wanted);
  if (fits(first) && !isCountedHeader(first)) return { ...plan, skip: 0, restored: null };
  const restored = restoredRow(first, body[0] ?? []);
  if (fits(restored) && !isCountedHeader(first)) {
    oddities.push("a first row that had become the names of columns");
    return { ...plan, skip: 1, restored };
  }
  // A row with some numbers is data with a mistake, which is reported when it is read.
  if (!isCountedHeader(first) && hasNumbers(first, plan, wanted)) {
    return { ...plan, skip: 0, restored: null };
  }
  oddities.push("other names of columns");
  return { ...plan, skip: 1, restored: null };
}

/** Whether cells are numbered from 0, as pandas names columns that have no names. */
function isCountedHeader(cells: readonly string[]): boolean {
  const names = cells.filter((cell, i) => i > 0 || cell !== "");
  return names.length > 3 && names.every((name, i) => name === String(i));
}

function hasNumbers<Name extends string>(
  cells: readonly string[],
  { at, mark }: Pick<ColumnPlan<Name>, "at" | "mark">,
  { kinds }: WantedColumns<Name>,
): boolean {
  return (Object.keys(kinds) as Name[]).some((name) => {
    const cell = cells[at[name] ?? -1] ?? "";
    return kinds[name] !== "text" && (isWord(cell) || Number.isFinite(numberOf(cell, mark)));
  });
}

/** Rows may be longer than the names by empty cells only. */
function requireSameWidth(
  names: readonly string[],
  body: readonly string[][],
  width: number,
  fail: Fail,
): void {
  const extra = body.find((cells) => cells.slice(names.length).some((cell) => cell !== ""));
  const isShort = width < names.length && names.slice(width).some((name) => name !== "");
  if (width === names.length || (extra === undefined && !isShort)) return;
  const example = (extra ?? body[0] ?? []).join(", ").slice(0, 80);
  const why = width > names.length ? ", as if decimal commas had split its numbers" : "";
  fail(
    `has ${names.length} names of columns, but ${width} cells in its rows (such as ${example})${why}`,
    SAVE_WITH_POINTS,
  );
}

const SAVE_WITH_POINTS =
  "save the table again with decimal points, or with semicolons between columns";

/** Names that programs give to a column of row names. */
export function isIndex(name: string): boolean {
  return /^(|x|index|row_?names?|row_?id|\.\.\.1|index_level_\d+|unnamed_?0?)$/.test(plain(name));
}

/** A name in lowercase, with underscores for anything else. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** Columns by name; null if fewer than two are known. */
export function columnsByName<Name extends string>(
  names: readonly string[],
  body: readonly string[][],
  wanted: WantedColumns<Name>,
  fail: Fail,
): Partial<Record<Name, number>> | null {
  const at: Partial<Record<Name, number>> = {};
  const known = Object.keys(wanted.kinds) as Name[];
  const simple = names.map(plain);
  for (const name of known) {
    const exact = simple.flatMap((other, i) => (other === name ? [i] : []));
    const also = simple.flatMap((other, i) => (wanted.aliases[other] === name ? [i] : []));
    const places = exact.length > 0 ? exact : also;
    if (places.length > 1) {
      const both = places.map((i) => names[i]).join(" and ");
      fail(`has several columns for ${name} (${both})`, "keep the right one");
    }
    if (places.length === 1) at[name] = places[0];
  }
  if (Object.keys(at).length < Math.min(2, names.length)) return null;
  const text = known.find((name) => wanted.kinds[name] === "text");
  if (text !== undefined && at[text] === undefined) {
    const place = names.findIndex((name, i) => isIndex(name) && isTextColumn(body, i));
    if (place >= 0) at[text] = place;
  }
  const missing = known.filter((name) => at[name] === undefined && !wanted.optional.includes(name));
  if (missing.length > 0) {
    const listed = names
      .filter((name) => name !== "")
      .slice(0, 8)
      .join(", ");
    fail(
      `lacks the column${missing.length > 1 ? "s" : ""} ${new Intl.ListFormat("en-US").format(missing)} (it has ${listed})`,
      wanted.remedy,
    );
  }
  return at;
}

/**
 * Columns in their usual order, from the column of text on if the table has one: what stands before it are names
 * of rows.
 */
function columnsByPlace<Name extends string>(
  body: readonly string[][],
  width: number,
  wanted: WantedColumns<Name>,
  fail: Fail,
): Partial<Record<Name, number>> {
  const known = Object.keys(wanted.kinds) as Name[];
  const hasText = known.some((name) => wanted.kinds[name] === "text");
  const places = Array.from({ length: width }, (_, i) => i);
  const texts = places.filter((i) => isTextColumn(body, i));
  let start = texts[0];
  if (!hasText) start = texts[0] === 0 || isCounted(body, width, known.length) ? 1 : 0;
  const end = places.findLastIndex((i) => body.some((cells) => (cells[i] ?? "") !== "")) + 1;
  const n = start === undefined ? 0 : end - start;
  const least = known.findLastIndex((name) => !wanted.optional.includes(name)) + 1;
  if (start === undefined || n < least || n > known.length) {
    const example = body[0]?.join(", ").slice(0, 80) ?? "";
    return fail(
      start === undefined && width > 1
        ? `has no column of ${known[0]}s (its rows are like ${example})`
        : `has ${width} columns without names (rows like ${example})${n > known.length ? ", as if decimal commas had split its numbers" : ""}`,
      n > known.length ? SAVE_WITH_POINTS : wanted.remedy,
    );
  }
  return Object.fromEntries(known.slice(0, n).map((name, i) => [name, start + i])) as Partial<
    Record<Name, number>
  >;
}

/** Whether the first of one column too many numbers the rows. */
function isCounted(body: readonly string[][], width: number, most: number): boolean {
  if (width <= most || body.length < 2) return false;
  const numbers = body.map((cells) => Number(cells[0]));
  return numbers.every((number, i) => number === numbers[0] + i) && numbers[0] <= 2;
}

function isTextColumn(body: readonly string[][], at: number): boolean {
  let texts = 0;
  for (const cells of body) {
    const cell = cells[at] ?? "";
    if (
      !isMissing(cell) &&
      !isWord(cell) &&
      Number.isNaN(numberOf(cell, ".")) &&
      Number.isNaN(numberOf(cell, ","))
    )
      texts++;
  }
  return texts > body.length / 2;
}

function markOf(
  rows: readonly string[][],
  places: readonly (number | undefined)[],
  fail: Fail,
): DecimalMark {
  const cells = rows.flatMap((row) =>
    places.map((at) => (at === undefined ? "" : (row[at] ?? ""))),
  );
  const mark = decimalMarkOf(cells);
  if (mark !== null) return mark;
  const example = cells.find((cell) => /^[+-]?\d[\d.]*,\d/.test(cell)) ?? "";
  return fail(
    `writes numbers like ${example}, whose comma may mark decimals or thousands`,
    "save the table again with decimal points and without separators of thousands",
  );
}

function isData<Name extends string>(
  cells: readonly string[],
  { at, width, mark }: Pick<ColumnPlan<Name>, "at" | "width" | "mark">,
  { kinds }: WantedColumns<Name>,
): boolean {
  if (cells.length < width) return false;
  return (Object.keys(kinds) as Name[]).every((name) => {
    const place = at[name];
    if (place === undefined) return true;
    const cell = cells[place];
    const number = numberOf(cell, mark);
    switch (kinds[name]) {
      case "text":
        return cell !== "" && Number.isNaN(number);
      case "flag":
        return !Number.isNaN(truthOf(cell, mark));
      case "whole":
        return isMissing(cell) || Number.isInteger(number);
      case "number":
        return isMissing(cell) || Number.isFinite(number);
    }
  });
}
