import { markupText } from "@stipple/contract/markup";
import { mixedPart } from "../cells/cell-colors.ts";
import { VIRIDIS } from "../cells/viridis.ts";
import type { ScaleBar } from "../geometry/scale-bar.ts";
import type { LegendPart } from "./legend-parts.ts";

/** A name over the drawing, CSS px. */
export interface GroupLabel {
  name: string;
  x: number;
  y: number;
}

/** A view as a figure: title at the top, the drawing with its scale bar, legend on the right. Lengths are CSS px. */
export interface Figure {
  title: string;
  subtitle: string;
  widthPx: number;
  heightPx: number;
  /** Data URL of the background raster; null = none. */
  raster: string | null;
  /** SVG elements over the raster in the drawing's px, clipped at its edges. */
  shapes: string;
  /** Names over the drawing, centered, in its px. */
  labels: readonly GroupLabel[];
  scaleBar: ScaleBar | null;
  legend: readonly LegendPart[];
  /** Divider between two levels as a share of the width, and their labels. */
  swipe: { at: number; label: string } | null;
  /** Whether to paint a white background; otherwise the drawing area stays transparent. */
  ground: boolean;
}

export interface FigureLayout {
  width: number;
  height: number;
  /** Top left corner of the drawing. */
  x: number;
  y: number;
}

const MARGIN = 16;
const HEAD = 52;
const LEGEND_WIDTH = 232;
const ROW = 18;
const INK = "#0f1b2a";
const INK_2 = "#46566a";
const FONT = "Inter, 'Inter Variable', Helvetica, Arial, sans-serif";
/** Number of characters of a name that always fit next to its color. */
const LONGEST_NAME = 32;
/** Width of a letter, in sizes of the text; most are narrower. */
const LETTER = 0.65;

/** Layout of a figure's parts. */
export function figureLayout({ widthPx, heightPx, legend }: Figure): FigureLayout {
  const tall = legend.reduce((sum, part) => sum + partHeight(part), 0);
  return {
    width: widthPx + 2 * MARGIN + (legend.length > 0 ? LEGEND_WIDTH + MARGIN : 0),
    height: HEAD + Math.max(heightPx, tall) + 2 * MARGIN,
    x: MARGIN,
    y: MARGIN + HEAD,
  };
}

/** The figure as SVG file text. */
export function figureSvg(figure: Figure): string {
  const { title, subtitle, widthPx, heightPx, raster, shapes, labels, scaleBar, swipe } = figure;
  const { width, height, x, y } = figureLayout(figure);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" fill="${INK}">`,
    `<title>${markupText(title)}</title>`,
    `<defs><clipPath id="drawing"><rect width="${widthPx}" height="${heightPx}"/></clipPath>${gradient()}</defs>`,
    figure.ground ? `<rect width="${width}" height="${height}" fill="#ffffff"/>` : "",
    text(x, MARGIN + 16, fitting(title, width - 2 * MARGIN, 17), { size: 17, weight: 600 }),
    text(x, MARGIN + 36, fitting(subtitle, width - 2 * MARGIN, 12), { size: 12, fill: INK_2 }),
    `<g transform="translate(${x} ${y})"><g clip-path="url(#drawing)">`,
    raster
      ? `<image width="${widthPx}" height="${heightPx}" preserveAspectRatio="none" href="${raster}"/>`
      : "",
    shapes,
    ...labels.map(label),
    swipe ? swipeLine(swipe, widthPx, heightPx) : "",
    `</g><rect width="${widthPx}" height="${heightPx}" fill="none" stroke="#d9e0e8"/>`,
    scaleBar ? scaleBarSvg(scaleBar, heightPx) : "",
    `</g>`,
    legendColumn(figure, x + widthPx + MARGIN, y),
    `</svg>`,
  ];
  return parts.join("");
}

function label({ name, x, y }: GroupLabel): string {
  const halo = `paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round"`;
  return `<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" font-size="12" font-weight="600" text-anchor="middle" ${halo}>${markupText(name)}</text>`;
}

function legendColumn({ legend }: Figure, x: number, top: number): string {
  let y = top;
  return legend
    .map((part) => {
      const drawn = `<g transform="translate(${x} ${y})">${drawnPart(part)}</g>`;
      y += partHeight(part);
      return drawn;
    })
    .join("");
}

const SQUARE = 70;

function partHeight(part: LegendPart): number {
  switch (part.kind) {
    case "groups":
      return 26 + ROW * part.entries.length + 14;
    case "scale":
      return 78;
    case "two":
      return SQUARE + 60;
    case "note":
      return 52;
  }
}

function drawnPart(part: LegendPart): string {
  if (part.kind === "groups") {
    const rows = part.entries.map(({ name, color }, at) => {
      const y = 24 + ROW * at;
      return `<rect y="${y}" width="11" height="11" rx="2" fill="${color}"/>${text(18, y + 9.5, shortened(name), { size: 12 })}`;
    });
    return heading(part.title) + rows.join("");
  }
  if (part.kind === "scale") {
    return [
      heading(part.title),
      text(0, 28, part.note, { size: 11, fill: INK_2 }),
      `<rect y="36" width="${LEGEND_WIDTH - 32}" height="10" fill="url(#viridis)"/>`,
      text(0, 60, part.low, { size: 11 }),
      text(LEGEND_WIDTH - 32, 60, part.high, { size: 11, anchor: "end" }),
    ].join("");
  }
  if (part.kind === "two") {
    const [first, second] = part.names;
    return [
      text(0, 10, part.note, { size: 11, fill: INK_2 }),
      `<g transform="translate(0 20)">${twoGeneSquare()}</g>`,
      text(SQUARE + 10, 20 + SQUARE, `${shortened(first)} → ${part.highs[0]}`, { size: 12 }),
      text(SQUARE + 10, 32, `${shortened(second)} ↑ ${part.highs[1]}`, { size: 12 }),
    ].join("");
  }
  return heading(part.title) + text(0, 28, part.note, { size: 11, fill: INK_2 });
}

function twoGeneSquare(): string {
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const side = SQUARE / steps.length;
  return steps
    .flatMap((a, x) =>
      steps.map((b, y) => {
        const color = [0, 1, 2].map((part) => mixedPart(a, b, part)).join(" ");
        return `<rect x="${x * side}" y="${(4 - y) * side}" width="${side}" height="${side}" fill="rgb(${color})"/>`;
      }),
    )
    .join("");
}

function heading(title: string): string {
  return text(0, 10, shortened(title), { size: 12.5, weight: 600 });
}

/** A scale bar at the bottom left of a drawing that is `heightPx` high. */
export function scaleBarSvg({ widthPx, text: label }: ScaleBar, heightPx: number): string {
  const y = heightPx - 12;
  return [
    `<rect x="10" y="${y - 38}" width="${widthPx + 20}" height="40" rx="4" fill="#ffffff" fill-opacity="0.9"/>`,
    text(20, y - 20, label, { size: 12, weight: 600 }),
    `<path d="M20 ${y - 13}v7h${widthPx.toFixed(2)}v-7" fill="none" stroke="${INK}" stroke-width="2"/>`,
  ].join("");
}

function swipeLine(
  { at, label }: { at: number; label: string },
  widthPx: number,
  heightPx: number,
): string {
  const x = (at * widthPx).toFixed(1);
  return [
    `<path d="M${x} 0v${heightPx}" stroke="${INK}" stroke-width="3.5"/>`,
    `<path d="M${x} 0v${heightPx}" stroke="#ffffff" stroke-width="2"/>`,
    `<rect x="${Number(x) - 48}" y="10" width="96" height="22" rx="4" fill="#ffffff" fill-opacity="0.9"/>`,
    text(Number(x), 25, label, { size: 12, weight: 600, anchor: "middle" }),
  ].join("");
}

function gradient(): string {
  const stops = Array.from({ length: 18 }, (_, at) => {
    const shade = Math.round((at / 17) * 255);
    const [r, g, b] = VIRIDIS.subarray(3 * shade, 3 * shade + 3);
    return `<stop offset="${(at / 17).toFixed(4)}" stop-color="rgb(${r} ${g} ${b})"/>`;
  });
  return `<linearGradient id="viridis">${stops.join("")}</linearGradient>`;
}

function text(
  x: number,
  y: number,
  content: string,
  {
    size,
    weight,
    fill,
    anchor,
  }: { size: number; weight?: number; fill?: string; anchor?: "middle" | "end" },
): string {
  const more = [
    weight && ` font-weight="${weight}"`,
    fill && ` fill="${fill}"`,
    anchor && ` text-anchor="${anchor}"`,
  ];
  return `<text x="${x}" y="${y}" font-size="${size}"${more.filter(Boolean).join("")}>${markupText(content)}</text>`;
}

/** As much of a line as has room in a width, px. */
export function fitting(line: string, widthPx: number, size: number): string {
  return shortened(line, Math.max(1, Math.floor(widthPx / (LETTER * size))));
}

function shortened(line: string, most = LONGEST_NAME): string {
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
