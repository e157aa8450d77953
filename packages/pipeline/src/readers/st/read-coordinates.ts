import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { readLines } from "../counts/read-text.ts";
import type { Positions } from "../sample.ts";

/** The spots of a slide, and how count tables name them. */
export interface SpotCoordinates {
  positions: Positions;
  /** Row of the spot named "10x12" or, by its measured array position, "10.02x11.97". */
  rowOf(name: SpotName): number | undefined;
}

/** Array position in a name: column, then row. */
export interface SpotName {
  x: number;
  y: number;
}

/** Columns as written by the ST spot detector and read by STUtility. */
const COLUMNS = ["x", "y", "new_x", "new_y", "pixel_x", "pixel_y", "selected"] as const;
type Column = (typeof COLUMNS)[number];
const NEEDED: readonly Column[] = ["x", "y", "pixel_x", "pixel_y"];
const ALSO_CALLED: Record<string, Column> = {
  pixelx: "pixel_x",
  pixely: "pixel_y",
  pxl_x: "pixel_x",
  pxl_y: "pixel_y",
  newx: "new_x",
  newy: "new_y",
  in_tissue: "selected",
};

/**
 * Reads spot coordinates: with a header, in any order and with additional columns, or without one in the usual
 * order. Without `selected`, every spot counts as in tissue. Throws {@link InputError} that names the invalid
 * line. O(spots).
 */
export async function readCoordinates(path: string): Promise<SpotCoordinates> {
  const file = basename(path);
  const fail = (what: string, remedy: string): never => {
    throw new InputError(`${file} ${what}: ${remedy}.`, { file });
  };
  let columns: Partial<Record<Column, number>> | null = null;
  let width = 0;
  let separator = "\t";
  let lineNumber = 0;
  const spots: Record<Column, number>[] = [];
  const exact = new Map<string, number>();
  for await (const line of readLines(path)) {
    lineNumber++;
    if (line.trim() === "") continue;
    if (columns === null) separator = line.includes("\t") ? "\t" : ",";
    const parts = line.split(separator).map((part) => part.trim().replace(/^"(.*)"$/, "$1"));
    if (columns === null) {
      const isHeader = parts.some((part) => /[a-z]/i.test(part));
      const names = isHeader ? parts : COLUMNS.slice(0, parts.length);
      width = names.length;
      columns = columnsOf(names);
      const missing = NEEDED.filter((column) => columns![column] === undefined);
      if (missing.length > 0) {
        fail(
          `lacks the column${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}`,
          "x and y must give a spot's position on the array, pixel_x and pixel_y its center in the image; export the table from the spot detector",
        );
      }
      if (isHeader) continue;
    }
    // R omits the header of the row-name column.
    const shift = parts.length === width + 1 ? 1 : 0;
    const value = (column: Column, absent: number): number => {
      const at = columns![column];
      if (at === undefined) return absent;
      const text = parts[at + shift] ?? "";
      if (/^(true|false)$/i.test(text)) return Number(/^t/i.test(text));
      const number = text === "" ? Number.NaN : Number(text);
      if (Number.isFinite(number)) return number;
      return fail(
        `has no number for ${column} in line ${lineNumber} ("${text.slice(0, 20)}")`,
        "copy or export the table again",
      );
    };
    const [x, y] = [Math.round(value("x", 0)), Math.round(value("y", 0))];
    const name = `${x}x${y}`;
    if (exact.has(name)) {
      fail(`lists the spot ${name} twice (line ${lineNumber})`, "keep one line per spot");
    }
    exact.set(name, spots.length);
    spots.push({
      x,
      y,
      new_x: value("new_x", x),
      new_y: value("new_y", y),
      pixel_x: value("pixel_x", 0),
      pixel_y: value("pixel_y", 0),
      selected: value("selected", 1),
    });
  }
  if (spots.length === 0) fail("contains no spots", "copy or export the table again");
  const measured = new Map(spots.map((spot, row) => [rounded(spot.new_x, spot.new_y), row]));
  return {
    positions: {
      barcode: [...exact.keys()],
      inTissue: Uint8Array.from(spots, ({ selected }) => Number(selected > 0)),
      arrayRow: Int32Array.from(spots, ({ y }) => y),
      arrayCol: Int32Array.from(spots, ({ x }) => x),
      x: Float64Array.from(spots, (spot) => spot.pixel_x),
      y: Float64Array.from(spots, (spot) => spot.pixel_y),
    },
    rowOf: ({ x, y }) =>
      Number.isInteger(x) && Number.isInteger(y)
        ? exact.get(`${x}x${y}`)
        : measured.get(rounded(x, y)),
  };
}

/** Tables give measured positions with two or three decimals. */
function rounded(x: number, y: number): string {
  return `${x.toFixed(2)}x${y.toFixed(2)}`;
}

function columnsOf(names: readonly string[]): Partial<Record<Column, number>> {
  const columns: Partial<Record<Column, number>> = {};
  names.forEach((name, at) => {
    const lower = name.toLowerCase();
    const column = ALSO_CALLED[lower] ?? COLUMNS.find((known) => known === lower);
    if (column) columns[column] ??= at;
  });
  return columns;
}
