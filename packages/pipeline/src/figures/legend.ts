import type { FigureKey } from "./figure-key.ts";
import { fitText, round, svgText } from "./svg.ts";

export interface LegendEntry {
  name: string;
  color: string;
  count: number;
  /** Drawn as a ring: see `hollowGroups`. */
  hollow?: boolean;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All lengths in em. A letter of Inter is about 0.52 em wide, a digit 0.56. */
const LETTER = 0.52;
const DIGIT = 0.56;
const ROW = 1.75;
const TITLE = 2;
const DOT = 1.4;
const GAP = 1;
/**
 * A column is as wide as its longest entry, within these limits; longer names are written smaller, down to this share
 * of the font size, and beyond that the columns become wider and fewer.
 */
const COLUMN = { least: 9, most: 16 };
const SMALLEST = 0.78;

/**
 * Color, name, count, and share of `total` of every entry in the given order, filling as many columns as the width has
 * room for. `font` is the preferred size: all rows shrink so that the longest name and all rows fit.
 */
export function legend(
  entries: readonly LegendEntry[],
  title: string,
  total = entries.reduce((sum, entry) => sum + entry.count, 0),
): FigureKey {
  return {
    heightIn: (width, font) =>
      font * (TITLE + ROW * Math.ceil(entries.length / columnsIn(width, font, entries, total))),
    draw: (box, font) => svgLegend(entries, total, box, title, font),
  };
}

/** Width at which the longest entry fits into one column, px. */
export function legendWidth(entries: readonly LegendEntry[], total: number, font: number): number {
  return Math.ceil(SMALLEST * font * longestOf(entries, total));
}

function columnsIn(
  width: number,
  font: number,
  entries: readonly LegendEntry[],
  total: number,
): number {
  const longest = longestOf(entries, total);
  const wanted = Math.max(COLUMN.least, Math.min(COLUMN.most, longest), SMALLEST * longest);
  const room = Math.floor((width / font + GAP) / (wanted + GAP));
  return Math.max(1, Math.min(room, entries.length));
}

/** Width of the longest entry, em. */
function longestOf(entries: readonly LegendEntry[], total: number): number {
  return Math.max(
    1,
    ...entries.map(
      (entry) => DOT + LETTER * entry.name.length + GAP + DIGIT * numbersOf(entry, total).length,
    ),
  );
}

function numbersOf({ count }: LegendEntry, total: number): string {
  return `${count.toLocaleString("en-US")} · ${((100 * count) / (total || 1)).toFixed(1)}%`;
}

function svgLegend(
  entries: readonly LegendEntry[],
  total: number,
  box: Box,
  title: string,
  preferred: number,
): string {
  const columns = columnsIn(box.width, preferred, entries, total);
  const rows = Math.ceil(entries.length / columns);
  const columnWidth = (box.width - (columns - 1) * GAP * preferred) / columns;
  const rowHeight = Math.min(preferred * ROW, (box.height - preferred * TITLE) / Math.max(1, rows));
  const font = Math.min(
    preferred,
    rowHeight * 0.72,
    Math.max(preferred * SMALLEST, columnWidth / longestOf(entries, total)),
  );
  const parts = [
    svgText(box.x, box.y + preferred, title, { size: preferred, weight: 600 }),
    ...entries.map((entry, i) => {
      const x = box.x + Math.floor(i / rows) * (columnWidth + GAP * preferred);
      const middle = box.y + preferred * TITLE + rowHeight * ((i % rows) + 0.5);
      return svgEntry(entry, numbersOf(entry, total), x, middle, columnWidth, font);
    }),
  ];
  return parts.join("\n");
}

function svgEntry(
  entry: LegendEntry,
  numbers: string,
  x: number,
  middle: number,
  width: number,
  font: number,
): string {
  const radius = font * 0.42;
  const dot = entry.hollow
    ? `<circle cx="${round(x + radius)}" cy="${round(middle)}" r="${round(radius * 0.78)}" fill="none" stroke="${entry.color}" stroke-width="${round(radius * 0.44)}"/>`
    : `<circle cx="${round(x + radius)}" cy="${round(middle)}" r="${round(radius)}" fill="${entry.color}" stroke="#0f1b2a" stroke-opacity="0.35" stroke-width="${round(font * 0.05)}"/>`;
  const baseline = middle + font * 0.36;
  const nameWidth = width - font * (DOT + GAP + DIGIT * numbers.length);
  return [
    dot,
    svgText(x + font * DOT, baseline, fitText(entry.name, font, nameWidth), { size: font }),
    svgText(x + width, baseline, numbers, { size: font, color: "#46566a", anchor: "end" }),
  ].join("\n");
}
