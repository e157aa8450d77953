import { markupText } from "@stipple/contract/markup";
import type { ScaleBar } from "../geometry/scale-bar.ts";
import type { LegendPart } from "./legend-parts.ts";
import { legendSvg } from "./legend-svg.ts";
import { shortened } from "./text-width.ts";

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
/** Semibold letters are a little wider than those that are measured. */
const SEMIBOLD = 0.95;
const LEGEND = { width: 216, textPt: 12, flows: false, id: "legend" };
const INK = "#0f1b2a";
const INK_2 = "#46566a";
const FONT = "Inter, 'Inter Variable', Helvetica, Arial, sans-serif";

/** Layout of a figure's parts. */
export function figureLayout({ widthPx, heightPx, legend }: Figure): FigureLayout {
  return {
    width: widthPx + 2 * MARGIN + (legend.length > 0 ? LEGEND.width + MARGIN : 0),
    height: HEAD + Math.max(heightPx, legendSvg(legend, LEGEND).height) + 2 * MARGIN,
    x: MARGIN,
    y: MARGIN + HEAD,
  };
}

/** The figure as SVG file text. */
export function figureSvg(figure: Figure): string {
  const { title, subtitle, widthPx, heightPx, raster, shapes, labels, scaleBar, swipe } = figure;
  const { width, height, x, y } = figureLayout(figure);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" fill="${INK}">`,
    `<title>${markupText(title)}</title>`,
    `<defs><clipPath id="drawing"><rect width="${widthPx}" height="${heightPx}"/></clipPath></defs>`,
    figure.ground ? `<rect width="${width}" height="${height}" fill="#ffffff"/>` : "",
    text(x, MARGIN + 16, shortened(title, SEMIBOLD * (width - 2 * MARGIN), 17), {
      size: 17,
      weight: 600,
    }),
    text(x, MARGIN + 36, shortened(subtitle, width - 2 * MARGIN, 12), { size: 12, fill: INK_2 }),
    `<g transform="translate(${x} ${y})"><g clip-path="url(#drawing)">`,
    raster
      ? `<image width="${widthPx}" height="${heightPx}" preserveAspectRatio="none" xlink:href="${raster}"/>`
      : "",
    shapes,
    ...labels.map(label),
    swipe ? swipeLine(swipe, widthPx, heightPx) : "",
    `</g><rect width="${widthPx}" height="${heightPx}" fill="none" stroke="#d9e0e8"/>`,
    scaleBar ? scaleBarSvg(scaleBar, heightPx) : "",
    `</g>`,
    `<g transform="translate(${x + widthPx + MARGIN} ${y})">${legendSvg(figure.legend, LEGEND).svg}</g>`,
    `</svg>`,
  ];
  return parts.join("");
}

/** A name with a light edge below it as an element of its own, because not every program knows `paint-order`. */
function label({ name, x, y }: GroupLabel): string {
  const written = (paint: string) =>
    `<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" font-size="12" font-weight="600" text-anchor="middle"${paint}>${markupText(name)}</text>`;
  return written(` stroke="#ffffff" stroke-width="3" stroke-linejoin="round"`) + written("");
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
