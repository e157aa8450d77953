import type { Figure } from "./figure.ts";
import type { Rgb } from "./raster.ts";
import { fitText, round, svgText, widest } from "./svg.ts";

export interface HeatmapContent {
  title: string;
  subtitle: string;
  rows: readonly string[];
  columns: readonly string[];
  /** What rows and columns are, shown in the corner of the table. */
  rowTitle: string;
  columnTitle: string;
  /** Color of a table cell; null = no value, drawn as a light cross. */
  color(row: number, column: number): Rgb | null;
  /** Short text in a table cell. */
  text?(row: number, column: number): string;
  scale: { title: string; low: string; middle: string; high: string; color(fraction: number): Rgb };
}

const FONT = 28;
const MARGIN = 40;
const TOP = 130;
/** Longest name of a row or column, px: a pair of the catalog's longest types. */
const MAX_NAME = 900;
const SCALE_WIDTH = 320;
/** Column names are written at this angle. */
const SLANT = (50 * Math.PI) / 180;

/** A table of colored fields with row and column names and a color scale. Fields shrink if there are many. */
export function heatmapFigure(content: HeatmapContent): Figure {
  const { rows, columns } = content;
  const field = Math.min(84, Math.max(30, 1500 / Math.max(rows.length, columns.length)));
  const font = Math.min(FONT, field * 0.72);
  const names = Math.min(MAX_NAME, widest([...rows, content.rowTitle], font)) + 20;
  const slanted = Math.min(MAX_NAME, widest(columns, font));
  const head = TOP + slanted * Math.sin(SLANT) + font * 3;
  const left = MARGIN + names;
  const right = left + columns.length * field;
  // The slanted name of the last column extends beyond the table, and the scale is next to it.
  const overhang = slanted * Math.cos(SLANT);
  const scaleLeft = right + 60;
  const tableBottom = head + rows.length * field;
  const svg = [
    svgText(MARGIN, FONT * 1.8, content.title, { size: FONT * 1.4, weight: 600 }),
    svgText(MARGIN, FONT * 3.4, content.subtitle, { size: FONT * 0.9, color: "#46566a" }),
    svgText(left - 16, head - 14, content.rowTitle, {
      size: font,
      weight: 600,
      anchor: "end",
    }),
    svgText(left, TOP + font * 0.6, content.columnTitle, { size: font, weight: 600 }),
    ...rows.map((name, row) =>
      svgText(left - 16, head + (row + 0.5) * field + font * 0.36, fitText(name, font, names), {
        size: font,
        anchor: "end",
      }),
    ),
    ...columns.map((name, column) => {
      const [x, y] = [left + (column + 0.5) * field + font * 0.3, head - 14];
      const text = svgText(0, 0, fitText(name, font, MAX_NAME), { size: font });
      return `<g transform="translate(${round(x)} ${round(y)}) rotate(${round((-SLANT * 180) / Math.PI)})">${text}</g>`;
    }),
    ...fields(content, left, head, field, font),
    ...colorScale(content.scale, scaleLeft, head),
  ];
  return {
    widthPx: Math.ceil(
      Math.max(
        scaleLeft + SCALE_WIDTH,
        right + overhang,
        MARGIN + widest([content.subtitle], FONT),
      ) + MARGIN,
    ),
    heightPx: Math.ceil(Math.max(tableBottom, head + 420) + MARGIN),
    layers: [{ kind: "vector", svg: svg.join("\n") }],
  };
}

function fields(
  content: HeatmapContent,
  left: number,
  top: number,
  field: number,
  font: number,
): string[] {
  const parts: string[] = [];
  for (let row = 0; row < content.rows.length; row++) {
    for (let column = 0; column < content.columns.length; column++) {
      const [x, y] = [left + column * field, top + row * field];
      const color = content.color(row, column);
      if (!color) {
        const [a, b] = [field * 0.35, field * 0.65];
        parts.push(
          `<path d="M${round(x + a)} ${round(y + a)}L${round(x + b)} ${round(y + b)}M${round(x + a)} ${round(y + b)}L${round(x + b)} ${round(y + a)}" stroke="#c9d1da" stroke-width="2"/>`,
        );
        continue;
      }
      parts.push(
        `<rect x="${round(x + 1)}" y="${round(y + 1)}" width="${round(field - 2)}" height="${round(field - 2)}" fill="rgb(${color.join()})"/>`,
      );
      const text = content.text?.(row, column);
      if (text) {
        parts.push(
          svgText(x + field / 2, y + field / 2 + font * 0.3, text, {
            size: Math.min(font * 0.8, (field * 1.5) / text.length),
            anchor: "middle",
            color: luminance(color) > 0.45 ? "#0f1b2a" : "#ffffff",
          }),
        );
      }
    }
  }
  return parts;
}

function colorScale(scale: HeatmapContent["scale"], x: number, y: number): string[] {
  const [height, width, steps] = [300, 34, 60];
  const bar = Array.from({ length: steps }, (_, step) => {
    const top = y + 40 + (height * step) / steps;
    return `<rect x="${x}" y="${round(top)}" width="${width}" height="${round(height / steps + 0.6)}" fill="rgb(${scale.color(1 - step / (steps - 1)).join()})"/>`;
  });
  return [
    svgText(x, y + 14, fitText(scale.title, FONT * 0.9, SCALE_WIDTH), {
      size: FONT * 0.9,
      weight: 600,
    }),
    ...bar,
    ...[scale.high, scale.middle, scale.low].map((text, place) =>
      svgText(x + width + 14, y + 40 + (height * place) / 2 + FONT * 0.3, text, {
        size: FONT * 0.85,
      }),
    ),
  ];
}

function luminance([r, g, b]: Rgb): number {
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
