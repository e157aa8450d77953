import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import type { Positions } from "../sample.ts";
import { unplacedSpots } from "../space-ranger/position-rows.ts";
import { isMissing, numberOf, truthOf } from "../tables/cell-values.ts";
import { planColumns, type Fail, type WantedColumns } from "../tables/plan-columns.ts";
import { isBlank, openTextTable } from "../tables/text-table.ts";

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

type Column = "x" | "y" | "new_x" | "new_y" | "pixel_x" | "pixel_y" | "selected";

/** Columns as written by the ST spot detector and read by STUtility. */
const COLUMNS: WantedColumns<Column> = {
  kinds: {
    x: "number",
    y: "number",
    new_x: "number",
    new_y: "number",
    pixel_x: "number",
    pixel_y: "number",
    selected: "flag",
  },
  optional: ["new_x", "new_y", "selected"],
  aliases: {
    pixelx: "pixel_x",
    pixely: "pixel_y",
    pxl_x: "pixel_x",
    pxl_y: "pixel_y",
    newx: "new_x",
    newy: "new_y",
    in_tissue: "selected",
  },
  remedy:
    "x and y must give a spot's position on the array, pixel_x and pixel_y its center in the image; export the table from the spot detector",
};

const WANTED = {
  what: "the table of spot coordinates",
  remedy: "export the table from the spot detector as tab-separated text",
};

/**
 * Reads spot coordinates: with a header, in any order and with additional columns, or without one in the usual
 * order; even after another program saved the table again, which `warn` is told. Without `selected`, every spot
 * counts as in tissue. Throws {@link InputError} that names the invalid line. O(spots).
 */
export async function readCoordinates(
  path: string,
  warn: (message: string) => void = () => undefined,
): Promise<SpotCoordinates> {
  const file = basename(path);
  const fail: Fail = (what, remedy) => {
    throw new InputError(`${file} ${what}: ${remedy}.`);
  };
  const table = await openTextTable(path, { wanted: WANTED, usual: "\t" });
  const sample = table.sample.map(({ cells }) => cells).filter((cells) => !isBlank(cells));
  if (sample.length === 0) fail("contains no spots", "copy or export the table again");
  const plan = planColumns(sample, COLUMNS, fail);
  const spots: Record<Column, number>[] = [];
  const exact = new Map<string, number>();
  let [skip, unplaced] = [plan.skip, 0];
  for await (const { cells: read, line } of table.rows()) {
    const cells = skip > 0 ? plan.restored : read;
    skip = 0;
    if (cells === null || isBlank(cells)) continue;
    const value = (column: Column, absent: number): number => {
      const at = plan.at[column];
      if (at === undefined) return absent;
      const text = cells[at] ?? "";
      const number = column === "selected" ? truthOf(text, plan.mark) : numberOf(text, plan.mark);
      if (Number.isFinite(number)) return number;
      return fail(
        `has no number for ${column} in line ${line} ("${text.slice(0, 20)}")`,
        "correct this line, or export the table again",
      );
    };
    const selected = value("selected", 1);
    const [px, py] = [plan.at.pixel_x!, plan.at.pixel_y!];
    if (selected === 0 && (isMissing(cells[px]) || isMissing(cells[py]))) {
      unplaced++;
      continue;
    }
    const [x, y] = [Math.round(value("x", 0)), Math.round(value("y", 0))];
    const name = `${x}x${y}`;
    if (exact.has(name)) {
      fail(`lists the spot ${name} twice (line ${line})`, "keep one line per spot of one slide");
    }
    exact.set(name, spots.length);
    spots.push({
      x,
      y,
      new_x: value("new_x", x),
      new_y: value("new_y", y),
      pixel_x: value("pixel_x", 0),
      pixel_y: value("pixel_y", 0),
      selected,
    });
  }
  if (spots.length === 0) fail("contains no spots", "copy or export the table again");
  const oddities = [...plan.oddities, ...table.oddities].filter((each) => !USUAL.includes(each));
  if (oddities.length > 0) {
    warn(
      `Another program saved ${file} (it has ${oddities.join(", ")}). The meaning of its columns is clear, so it was used.`,
    );
  }
  if (unplaced > 0) {
    warn(unplacedSpots(file, unplaced));
  }
  const measured = new Map(spots.map((spot, row) => [rounded(spot.new_x, spot.new_y), row]));
  return {
    positions: {
      barcode: [...exact.keys()],
      inTissue: Uint8Array.from(spots, (spot) => spot.selected),
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

/** STUtility writes names of rows. */
const USUAL: readonly string[] = ["a column of row names"];

/** Tables give measured positions with two or three decimals. */
function rounded(x: number, y: number): string {
  return `${x.toFixed(2)}x${y.toFixed(2)}`;
}
