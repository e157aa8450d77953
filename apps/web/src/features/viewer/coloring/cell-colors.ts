import { CELL_EVIDENCE } from "@stipple/contract/routes/visualization";
import type { Cells } from "../data/cells.ts";
import type { ColumnArray } from "../data/columns.ts";
import { hasCell, type CellSet } from "../selection/cell-set.ts";
import { GROUPINGS, type Grouping } from "../state/shown-state.ts";
import type { ValueRange } from "./value-range.ts";
import { VIRIDIS } from "./viridis.ts";

export type Rgb = readonly [number, number, number];

/** Of cells whose value was not measured. */
export const MISSING: Rgb = [201, 209, 218];
/** Where neither of two genes is expressed, and the two themselves (Okabe & Ito's blue and orange): mixtures stay apart for the color-blind. */
export const TWO_GENES = {
  none: [232, 236, 240],
  first: [213, 94, 0],
  second: [0, 114, 178],
} as const;
/** Cells beyond the reach of every spot, about which nothing is known but their outline. */
const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");
/**
 * Cells outside of a selection, and those beyond reach: this opaque, and this far on the way to gray. They stay visible, so
 * that the selection keeps its place.
 */
const FAINT_ALPHA = 110;
const FAINT_GRAY = 0.65;

/** Reads "#rrggbb"; anything else is the gray of missing values. */
export function parseColor(text: string): Rgb {
  const match = /^#([0-9a-f]{6})$/i.exec(text);
  if (!match) return MISSING;
  const value = Number.parseInt(match[1]!, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Values with the scale that they are colored on. */
export interface ScaledValues {
  values: Float32Array;
  range: ValueRange;
}

/** What colors the cells; `observedOnly`: gray where a cell's counts were not measured. */
export type Coloring =
  | { by: "group"; of: Grouping; palette: readonly Rgb[] }
  /** The person's own groups; a cell of several has the color of the last. */
  | { by: "sets"; sets: readonly { cells: CellSet; color: Rgb }[] }
  | ({ by: "value"; observedOnly: boolean } & ScaledValues)
  | { by: "two"; first: ScaledValues; second: ScaledValues; observedOnly: boolean }
  | { by: "nothing" };

/** Groups that are switched off, by index. */
export type HiddenGroups = Readonly<Record<Grouping, readonly number[]>>;

/**
 * Red, green, blue and alpha of every cell (4 × nCells; alpha 0 = not drawn) and the number of cells drawn. Cells
 * outside of `selection` or beyond the reach of every spot are drawn faintly. One pass over the cells.
 */
export function cellColors(
  cells: Cells,
  coloring: Coloring,
  hidden: HiddenGroups,
  selection: CellSet | null = null,
): { rgba: Uint8Array; drawn: number } {
  const n = cells.type.length;
  // A cell's four bytes are written as one number (little-endian, as every browser's platform is).
  const colors = new Uint32Array(n);
  const drawnOf = visibility(cells, hidden);
  const paint = painter(cells, coloring);
  // Who colors by evidence wants to see these cells.
  const beyond = coloring.by === "group" && coloring.of === "evidence" ? undefined : cells.evidence;
  let drawn = 0;
  for (let cell = 0; cell < n; cell++) {
    if (drawnOf && drawnOf[cell] === 0) continue;
    drawn += 1;
    const isFaint = beyond?.[cell] === BEYOND_REACH || (selection && !hasCell(selection, cell));
    colors[cell] = isFaint ? faint(paint(cell)) | (FAINT_ALPHA << 24) : paint(cell) | (255 << 24);
  }
  return { rgba: new Uint8Array(colors.buffer), drawn };
}

/** A packed color, moved towards the gray of missing values. */
function faint(color: number): number {
  const part = (shift: number, gray: number) => {
    const value = (color >> shift) & 255;
    return Math.round(value + FAINT_GRAY * (gray - value)) << shift;
  };
  return part(0, MISSING[0]) | part(8, MISSING[1]) | part(16, MISSING[2]);
}

/** 1 = drawn, one value a cell; undefined when nothing is hidden. */
export function visibility(cells: Cells, hidden: HiddenGroups): Uint8Array | undefined {
  let drawn: Uint8Array | undefined;
  for (const of of GROUPINGS) {
    const column: ColumnArray | undefined = cells[of];
    if (!column || hidden[of].length === 0) continue;
    const off = new Uint8Array(65_536);
    for (const group of hidden[of]) off[group] = 1;
    drawn ??= new Uint8Array(column.length).fill(1);
    for (let cell = 0; cell < column.length; cell++) if (off[column[cell]!]) drawn[cell] = 0;
  }
  return drawn;
}

/** A cell's red, green and blue in one number, red in the lowest byte. */
type Painter = (cell: number) => number;

function packed([red, green, blue]: Rgb): number {
  return red | (green << 8) | (blue << 16);
}

const PACKED_VIRIDIS = Uint32Array.from({ length: 256 }, (_, shade) =>
  packed([VIRIDIS[3 * shade]!, VIRIDIS[3 * shade + 1]!, VIRIDIS[3 * shade + 2]!]),
);

function painter(cells: Cells, coloring: Coloring): Painter {
  const missing = packed(MISSING);
  if (coloring.by === "nothing") return () => missing;
  if (coloring.by === "group") {
    const column = cells[coloring.of];
    if (!column) return () => missing;
    const palette = coloring.palette.map(packed);
    return (cell) => palette[column[cell]!] ?? missing;
  }
  if (coloring.by === "sets") {
    const sets = coloring.sets.map(({ cells: some, color }) => ({ some, color: packed(color) }));
    sets.reverse();
    return (cell) => sets.find(({ some }) => hasCell(some, cell))?.color ?? missing;
  }
  const unknown = (cell: number) => coloring.observedOnly && cells.observed[cell] === 0;
  if (coloring.by === "value") {
    const { values, range, observedOnly } = coloring;
    const { low, high } = range;
    const shades = 255 / (high - low);
    return (cell) => {
      const shade = (values[cell]! - low) * shades;
      if (shade !== shade || (observedOnly && cells.observed[cell] === 0)) return missing;
      return PACKED_VIRIDIS[shade <= 0 ? 0 : shade >= 255 ? 255 : (shade + 0.5) | 0]!;
    };
  }
  const { first, second } = coloring;
  return (cell) => {
    const a = shareOf(first.values[cell]!, first.range);
    const b = shareOf(second.values[cell]!, second.range);
    if (Number.isNaN(a) || Number.isNaN(b) || unknown(cell)) return missing;
    return packed([mixedPart(a, b, 0), mixedPart(a, b, 1), mixedPart(a, b, 2)]);
  };
}

/** Place of a value on its scale, 0–1; NaN for none. */
function shareOf(value: number, { low, high }: ValueRange): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** One part (0 red, 1 green, 2 blue) of the mixture of two genes at shares `a` and `b`: each takes its light away from the ground. */
export function mixedPart(a: number, b: number, part: number): number {
  const { none, first, second } = TWO_GENES;
  const ground = none[part]!;
  const ofFirst = 1 - a * (1 - first[part]! / ground);
  const ofSecond = 1 - b * (1 - second[part]! / ground);
  return Math.round(ground * Math.max(0, ofFirst) * Math.max(0, ofSecond));
}
