import type { Platform } from "@stipple/contract";
import { isMissing, numberOf, truthOf, type DecimalMark } from "../tables/cell-values.ts";
import type { Fail, WantedColumns } from "../tables/plan-columns.ts";
import { areOnLine, fitLattice } from "../lattice/fit-lattice.ts";
import type { Positions } from "../sample.ts";
import { refuseSeveralSamples } from "./barcode-parts.ts";

/** Columns of Space Ranger's positions, in their order without names. */
export type PositionColumn =
  "barcode" | "in_tissue" | "array_row" | "array_col" | "pxl_row_in_fullres" | "pxl_col_in_fullres";

export const POSITION_COLUMNS: WantedColumns<PositionColumn> = {
  kinds: {
    barcode: "text",
    in_tissue: "flag",
    array_row: "whole",
    array_col: "whole",
    pxl_row_in_fullres: "number",
    pxl_col_in_fullres: "number",
  },
  optional: ["in_tissue"],
  // As in Seurat, SpatialExperiment, and older scanpy.
  aliases: {
    barcodes: "barcode",
    spot: "barcode",
    spot_id: "barcode",
    tissue: "in_tissue",
    intissue: "in_tissue",
    row: "array_row",
    col: "array_col",
    arrayrow: "array_row",
    arraycol: "array_col",
    imagerow: "pxl_row_in_fullres",
    imagecol: "pxl_col_in_fullres",
    pxl_row: "pxl_row_in_fullres",
    pxl_col: "pxl_col_in_fullres",
  },
  remedy:
    "save it with the columns barcode, in_tissue, array_row, array_col, pxl_row_in_fullres, and pxl_col_in_fullres, or copy the table from Space Ranger's spatial folder",
};

/** The values of one row; text, numbers, or booleans, depending on the file. */
export type PositionCells = Partial<Record<PositionColumn, unknown>>;

/** The array of HD Visium has 3,350 rows of 2 µm bins. */
const MAX_ARRAY_INDEX = 1e6;

/** Most array places for which one bit each is kept: 32 MB. */
const MAX_PLACES = 2 ** 28;

/** How a table is refused, and what its rows are called. */
export interface Refusing {
  fail: Fail;
  noun: Platform["spotNoun"];
}

/** Collects rows into {@link Positions} and rejects those that cannot be true. */
export class PositionRows {
  readonly #fail: Fail;
  readonly #noun: string;
  readonly #file: string;
  readonly #mark: DecimalMark;
  readonly #barcode: string[] = [];
  readonly #seen = new Set<string>();
  readonly #offTissue = new Set<string>();
  #inTissue = new Uint8Array(1024);
  #array = new Int32Array(2048);
  #pixels = new Float64Array(2048);
  #withoutFlag = false;

  constructor(file: string, mark: DecimalMark, { fail, noun }: Refusing) {
    this.#file = file;
    this.#mark = mark;
    this.#fail = fail;
    this.#noun = noun;
  }

  /** Adds a row; `place` names it: "line 7". */
  add(cells: PositionCells, place: string): void {
    const barcode = String(cells.barcode ?? "");
    if (isMissing(barcode) || !Number.isNaN(numberOf(barcode, "."))) {
      const found = isMissing(barcode) ? "" : ` (but "${barcode.slice(0, 30)}")`;
      this.#fail(`has no barcode in ${place}${found}`, SAVE_AGAIN);
    }
    if (this.#seen.has(barcode)) {
      this.#fail(
        `lists the barcode ${barcode} twice (${place})`,
        `keep one row for each ${this.#noun}`,
      );
    }
    this.#seen.add(barcode);
    const of = `in ${place} (barcode ${barcode.slice(0, 40)}`;
    const inTissue = this.#flag(cells, of);
    const numbers = NUMBERS.map((name) => cells[name]);
    if (inTissue === 0 && numbers.some(isMissing)) {
      this.#offTissue.add(barcode);
      return;
    }
    const n = this.#barcode.push(barcode) - 1;
    if (n === this.#inTissue.length) this.#grow();
    this.#inTissue[n] = inTissue;
    NUMBERS.forEach((name, i) => {
      const value = numberOf(numbers[i], this.#mark);
      const isValid =
        i < 2
          ? Number.isInteger(value) && Math.abs(value) < MAX_ARRAY_INDEX
          : Number.isFinite(value);
      if (!isValid) this.#refuse(name, numbers[i], of);
      if (i < 2) this.#array[2 * n + i] = value;
      else this.#pixels[2 * n + i - 2] = value;
    });
  }

  #flag(cells: PositionCells, of: string): number {
    if (!("in_tissue" in cells)) {
      this.#withoutFlag = true;
      return 1;
    }
    const value = truthOf(cells.in_tissue, this.#mark);
    return Number.isNaN(value) ? this.#refuse("in_tissue", cells.in_tissue, of) : value;
  }

  #refuse(name: PositionColumn, cell: unknown, of: string): never {
    const wanted =
      name === "in_tissue"
        ? "neither 0 nor 1"
        : name.startsWith("array")
          ? "no whole number"
          : "no number";
    const found = isMissing(cell) ? "" : `, "${String(cell).slice(0, 20)}"`;
    return this.#fail(`has ${wanted} for ${name} ${of}${found})`, SAVE_AGAIN);
  }

  #grow(): void {
    const larger = <T extends Uint8Array | Int32Array | Float64Array>(old: T): T => {
      const next = new (old.constructor as new (length: number) => T)(2 * old.length);
      next.set(old);
      return next;
    };
    this.#inTissue = larger(this.#inTissue);
    this.#array = larger(this.#array);
    this.#pixels = larger(this.#pixels);
  }

  /** The positions; `warn` gets what was unusual about the values. */
  finish(warn: (message: string) => void): Positions {
    const n = this.#barcode.length;
    if (n === 0) {
      this.#fail(
        this.#offTissue.size > 0
          ? `has no position for any ${this.#noun}`
          : `contains no ${this.#noun}s`,
        "copy the table from Space Ranger's spatial folder again",
      );
    }
    refuseSeveralSamples(this.#file, this.#barcode, "describes");
    const every = <T extends Int32Array | Float64Array>(from: T, first: number): T => {
      const out = new (from.constructor as new (length: number) => T)(n);
      for (let i = 0; i < n; i++) out[i] = from[2 * i + first]!;
      return out;
    };
    const positions: Positions = {
      barcode: this.#barcode,
      inTissue: this.#inTissue.slice(0, n),
      arrayRow: every(this.#array, 0),
      arrayCol: every(this.#array, 1),
      x: every(this.#pixels, 1),
      y: every(this.#pixels, 0),
    };
    this.#refuseSharedPlaces(positions);
    if (areOnLine(positions.x, positions.y) && fitLattice(positions) !== null) {
      this.#fail(
        `puts all ${n} ${this.#noun}s at one place of the image or on a line, although they fill rows and columns of the array`,
        `use the table with each ${this.#noun}'s place on the image, from Space Ranger's spatial folder`,
      );
    }
    if (this.#withoutFlag) {
      warn(
        `${this.#file} has no column in_tissue, so every ${this.#noun} in it counts as in tissue.`,
      );
    }
    if (this.#offTissue.size === 0) return positions;
    warn(unplacedSpots(this.#file, this.#offTissue.size, this.#noun));
    return { ...positions, unplaced: this.#offTissue };
  }

  /** Two spots at one place of the array are two samples in one table. O(spots + places). */
  #refuseSharedPlaces({ barcode, arrayRow, arrayCol }: Positions): void {
    const [rows, cols] = [rangeOf(arrayRow), rangeOf(arrayCol)];
    const size = rows.size * cols.size;
    const bits = size <= MAX_PLACES ? new Uint8Array(Math.ceil(size / 8)) : null;
    const others = new Set<number>();
    for (let i = 0; i < barcode.length; i++) {
      const place = (arrayRow[i] - rows.least) * cols.size + arrayCol[i] - cols.least;
      const isTaken = bits ? (bits[place >> 3] >> (place & 7)) & 1 : others.has(place);
      if (isTaken) {
        const first = barcode.findIndex(
          (_, k) => arrayRow[k] === arrayRow[i] && arrayCol[k] === arrayCol[i],
        );
        this.#fail(
          `has two ${this.#noun}s at row ${arrayRow[i]}, column ${arrayCol[i]} of the array (${barcode[first]} and ${barcode[i]}), so it is not the table of one capture area`,
          "use the table of a single capture area, from its own outs folder",
        );
      }
      if (bits) bits[place >> 3] |= 1 << (place & 7);
      else others.add(place);
    }
  }
}

const NUMBERS = ["array_row", "array_col", "pxl_row_in_fullres", "pxl_col_in_fullres"] as const;

/** The warning about spots off tissue whose places a table does not give. */
export function unplacedSpots(file: string, n: number, noun = "spot"): string {
  const [s, were] = n === 1 ? ["", "was"] : ["s", "were"];
  return `${file} has no position for ${n} ${noun}${s} off tissue, which ${were} left out.`;
}

const SAVE_AGAIN =
  "correct this row, or copy the table from Space Ranger's spatial folder again without opening it in another program";

function rangeOf(values: Int32Array): { least: number; size: number } {
  let [least, most] = [values[0], values[0]];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, size: most - least + 1 };
}
