import type { Cells } from "../data/cells.ts";
import type { ColumnArray } from "../data/columns.ts";
import { hasCell, type CellSet } from "../selection/cell-set.ts";
import { GROUPINGS, type Grouping } from "../state/shown-state.ts";
import type { ValueRange } from "./value-range.ts";
import { VIRIDIS } from "./viridis.ts";

export type Rgb = readonly [number, number, number];

/** Of cells whose value was not measured. */
export const MISSING: Rgb = [201, 209, 218];
/** Where neither of two genes is expressed, and the two themselves (Okabe & Ito's blue and orange): mixtures stay apart for the colour-blind. */
export const TWO_GENES = {
  none: [232, 236, 240],
  first: [213, 94, 0],
  second: [0, 114, 178],
} as const;
/** Alpha of cells outside of a selection. */
const FAINT = 46;

/** Reads "#rrggbb"; anything else is the grey of missing values. */
export function parseColor(text: string): Rgb {
  const match = /^#([0-9a-f]{6})$/i.exec(text);
  if (!match) return MISSING;
  const value = Number.parseInt(match[1]!, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Values with the scale that they are coloured on. */
export interface ScaledValues {
  values: Float32Array;
  range: ValueRange;
}

/** What colours the cells; `observedOnly`: grey where a cell's counts were not measured. */
export type Coloring =
  | { by: "group"; of: Grouping; palette: readonly Rgb[] }
  /** The person's own groups; a cell of several has the colour of the last. */
  | { by: "sets"; sets: readonly { cells: CellSet; color: Rgb }[] }
  | ({ by: "value"; observedOnly: boolean } & ScaledValues)
  | { by: "two"; first: ScaledValues; second: ScaledValues; observedOnly: boolean }
  | { by: "nothing" };

/** Groups that are switched off, by index. */
export type HiddenGroups = Readonly<Record<Grouping, readonly number[]>>;

/**
 * Red, green, blue and alpha of every cell (4 × nCells; alpha 0 = not drawn) and the number of cells drawn. Cells
 * outside of `selection` are drawn faintly. One pass over the cells.
 */
export function cellColors(
  cells: Cells,
  coloring: Coloring,
  hidden: HiddenGroups,
  selection: CellSet | null = null,
): { rgba: Uint8Array; drawn: number } {
  const n = cells.type.length;
  const rgba = new Uint8Array(n * 4);
  const drawnOf = visibility(cells, hidden);
  const paint = painter(cells, coloring);
  let drawn = 0;
  for (let cell = 0, at = 0; cell < n; cell++, at += 4) {
    if (drawnOf && drawnOf[cell] === 0) continue;
    drawn += 1;
    paint(cell, rgba, at);
    rgba[at + 3] = selection && !hasCell(selection, cell) ? FAINT : 255;
  }
  return { rgba, drawn };
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

/** Writes one cell's red, green and blue. */
type Painter = (cell: number, rgba: Uint8Array, at: number) => void;

function painter(cells: Cells, coloring: Coloring): Painter {
  const put = (rgba: Uint8Array, at: number, color: Rgb) => {
    rgba[at] = color[0];
    rgba[at + 1] = color[1];
    rgba[at + 2] = color[2];
  };
  if (coloring.by === "nothing") return (_, rgba, at) => put(rgba, at, MISSING);
  if (coloring.by === "group") {
    const column = cells[coloring.of];
    const { palette } = coloring;
    return (cell, rgba, at) => put(rgba, at, palette[column?.[cell] ?? -1] ?? MISSING);
  }
  if (coloring.by === "sets") {
    const sets = [...coloring.sets].reverse();
    return (cell, rgba, at) =>
      put(rgba, at, sets.find(({ cells: some }) => hasCell(some, cell))?.color ?? MISSING);
  }
  const unknown = (cell: number) => coloring.observedOnly && cells.observed[cell] === 0;
  if (coloring.by === "value") {
    const { values, range } = coloring;
    return (cell, rgba, at) => {
      const share = shareOf(values[cell]!, range);
      if (Number.isNaN(share) || unknown(cell)) return put(rgba, at, MISSING);
      const shade = 3 * Math.round(255 * share);
      rgba[at] = VIRIDIS[shade]!;
      rgba[at + 1] = VIRIDIS[shade + 1]!;
      rgba[at + 2] = VIRIDIS[shade + 2]!;
    };
  }
  const { first, second } = coloring;
  return (cell, rgba, at) => {
    const a = shareOf(first.values[cell]!, first.range);
    const b = shareOf(second.values[cell]!, second.range);
    if (Number.isNaN(a) || Number.isNaN(b) || unknown(cell)) return put(rgba, at, MISSING);
    for (let part = 0; part < 3; part++) rgba[at + part] = mixedPart(a, b, part);
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
