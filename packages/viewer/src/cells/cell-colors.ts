import { CELL_EVIDENCE } from "@stipple/contract/viewer-manifest";
import type { Cells } from "../source/cells.ts";
import type { ColumnArray } from "../source/columns.ts";
import { hasCell, type CellSet } from "./cell-set.ts";
import { GROUPINGS, type Grouping } from "../choices.ts";
import type { ValueRange } from "./value-range.ts";
import { VIRIDIS } from "./viridis.ts";

export type Rgb = readonly [number, number, number];

/** Color of cells whose value was not measured. */
export const MISSING: Rgb = [201, 209, 218];
/**
 * Color where neither of two genes is expressed, and the colors of the two genes (Okabe & Ito). Mixtures are
 * colorblind-safe.
 */
export const TWO_GENES = {
  none: [232, 236, 240],
  first: [213, 94, 0],
  second: [0, 114, 178],
} as const;
/** Cells beyond the reach of every spot; only their outline is known. */
const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");
/**
 * Alpha and fraction toward gray for cells outside a selection or beyond reach. They stay visible to give the selection
 * its context.
 */
const FAINT_ALPHA = 110;
const FAINT_GRAY = 0.65;

/** Parses "#rrggbb"; anything else gives the gray of missing values. */
export function parseColor(text: string): Rgb {
  const match = /^#([0-9a-f]{6})$/i.exec(text);
  if (!match) return MISSING;
  const value = Number.parseInt(match[1]!, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Values with their color scale. */
export interface ScaledValues {
  values: Float32Array;
  range: ValueRange;
}

/** What the cells are colored by; `observedOnly`: gray where a cell's counts were not measured. */
export type Coloring =
  | { by: "group"; of: Grouping; palette: readonly Rgb[] }
  /** The user's groups; a cell in several gets the color of the last. */
  | { by: "sets"; sets: readonly { cells: CellSet; color: Rgb }[] }
  | ({ by: "value"; observedOnly: boolean } & ScaledValues)
  | { by: "two"; first: ScaledValues; second: ScaledValues; observedOnly: boolean }
  | { by: "nothing" };

/** Indices of hidden groups. */
export type HiddenGroups = Readonly<Record<Grouping, readonly number[]>>;

/**
 * RGBA of every cell (4 × nCells; alpha 0 = not drawn) and the number of cells drawn. Cells outside `selection` or
 * beyond the reach of every spot are dimmed. Painting is one pass over the cells; dimming and hiding, if any, are
 * another.
 */
export function cellColors(
  cells: Cells,
  coloring: Coloring,
  hidden: Partial<HiddenGroups> = {},
  selection: CellSet | null = null,
): { rgba: Uint8Array; drawn: number } {
  const n = cells.type.length;
  // Write a cell's four bytes as one number (all browser platforms are little-endian).
  const colors = new Uint32Array(n);
  paint(colors, cells, coloring);
  const drawnOf = visibility(cells, hidden);
  // When coloring by evidence, these cells are of interest.
  const beyond = coloring.by === "group" && coloring.of === "evidence" ? undefined : cells.evidence;
  let drawn = n;
  if (drawnOf || beyond || selection) {
    for (let cell = 0; cell < n; cell++) {
      if (drawnOf && drawnOf[cell] === 0) {
        drawn -= 1;
        colors[cell] = 0;
      } else if (
        (beyond && beyond[cell] === BEYOND_REACH) ||
        (selection && !hasCell(selection, cell))
      ) {
        colors[cell] = faint(colors[cell]!) | (FAINT_ALPHA << 24);
      }
    }
  }
  return { rgba: new Uint8Array(colors.buffer), drawn };
}

/** A packed color, dimmed toward the gray of missing values. */
function faint(color: number): number {
  const part = (shift: number, gray: number) => {
    const value = (color >> shift) & 255;
    return Math.round(value + FAINT_GRAY * (gray - value)) << shift;
  };
  return part(0, MISSING[0]) | part(8, MISSING[1]) | part(16, MISSING[2]);
}

/** 1 = drawn, one value per cell; undefined when nothing is hidden. */
export function visibility(cells: Cells, hidden: Partial<HiddenGroups>): Uint8Array | undefined {
  let drawn: Uint8Array | undefined;
  for (const of of GROUPINGS) {
    const column: ColumnArray | undefined = cells[of];
    const groups = hidden[of] ?? [];
    if (!column || groups.length === 0) continue;
    const off = new Uint8Array(65_536);
    for (const group of groups) off[group] = 1;
    drawn ??= new Uint8Array(column.length).fill(1);
    for (let cell = 0; cell < column.length; cell++) if (off[column[cell]!]) drawn[cell] = 0;
  }
  return drawn;
}

/** An opaque color packed into one number, red in the lowest byte. */
function packed([red, green, blue]: Rgb): number {
  return (red | (green << 8) | (blue << 16) | (255 << 24)) >>> 0;
}

const PACKED_VIRIDIS = Uint32Array.from({ length: 256 }, (_, shade) =>
  packed([VIRIDIS[3 * shade]!, VIRIDIS[3 * shade + 1]!, VIRIDIS[3 * shade + 2]!]),
);
const PACKED_MISSING = packed(MISSING);

/** The color of every cell, opaque. */
function paint(colors: Uint32Array, cells: Cells, coloring: Coloring): void {
  switch (coloring.by) {
    case "nothing":
      colors.fill(PACKED_MISSING);
      break;
    case "group":
      paintGroups(colors, cells[coloring.of], coloring.palette);
      break;
    case "sets":
      colors.fill(PACKED_MISSING);
      for (const { cells: some, color } of coloring.sets) {
        const ofSet = packed(color);
        for (let cell = 0; cell < colors.length; cell++) {
          if (hasCell(some, cell)) colors[cell] = ofSet;
        }
      }
      break;
    case "value":
      paintValues(colors, coloring);
      break;
    case "two":
      paintTwo(colors, coloring.first, coloring.second);
      break;
  }
  if (!("observedOnly" in coloring && coloring.observedOnly)) return;
  const { observed } = cells;
  for (let cell = 0; cell < colors.length; cell++) {
    if (observed[cell] === 0) colors[cell] = PACKED_MISSING;
  }
}

function paintGroups(
  colors: Uint32Array,
  column: ColumnArray | undefined,
  palette: readonly Rgb[],
): void {
  if (!column) return void colors.fill(PACKED_MISSING);
  const ofGroup = new Uint32Array(65_536).fill(PACKED_MISSING);
  palette.forEach((color, group) => (ofGroup[group] = packed(color)));
  for (let cell = 0; cell < colors.length; cell++) colors[cell] = ofGroup[column[cell]!]!;
}

/** A dedicated loop for speed: painting delays the new colors after a click. */
function paintValues(colors: Uint32Array, { values, range }: ScaledValues): void {
  const { low, high } = range;
  const shades = 255 / (high - low);
  for (let cell = 0; cell < colors.length; cell++) {
    const shade = (values[cell]! - low) * shades;
    if (shade !== shade) colors[cell] = PACKED_MISSING;
    else colors[cell] = PACKED_VIRIDIS[shade <= 0 ? 0 : shade >= 255 ? 255 : (shade + 0.5) | 0]!;
  }
}

function paintTwo(colors: Uint32Array, first: ScaledValues, second: ScaledValues): void {
  for (let cell = 0; cell < colors.length; cell++) {
    const a = shareOf(first.values[cell]!, first.range);
    const b = shareOf(second.values[cell]!, second.range);
    colors[cell] =
      Number.isNaN(a) || Number.isNaN(b)
        ? PACKED_MISSING
        : packed([mixedPart(a, b, 0), mixedPart(a, b, 1), mixedPart(a, b, 2)]);
  }
}

/** Position of a value on its scale, 0–1; NaN for none. */
function shareOf(value: number, { low, high }: ValueRange): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/**
 * One component (0 red, 1 green, 2 blue) of the mixture of two genes at shares `a` and `b`: a subtractive mix over the
 * background.
 */
export function mixedPart(a: number, b: number, part: number): number {
  const { none, first, second } = TWO_GENES;
  const ground = none[part]!;
  const ofFirst = 1 - a * (1 - first[part]! / ground);
  const ofSecond = 1 - b * (1 - second[part]! / ground);
  return Math.round(ground * Math.max(0, ofFirst) * Math.max(0, ofSecond));
}
