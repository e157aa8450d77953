import { markupText } from "@stipple/contract/markup";
import type { Place } from "@stipple/viewer/choices";
import { scaleBar } from "@stipple/viewer/geometry";
import {
  fittingText,
  legendSvg,
  widthOf,
  type GroupLabel,
  type LegendPart,
} from "@stipple/viewer/figure";
import { placedLabels } from "../../stage/group-anchors.ts";
import type { FigurePanel } from "../figures.ts";
import { fitted, type PageBox } from "./layout.ts";
import { INK } from "./page-svg.ts";

type Size = Pick<PageBox, "width" | "height">;

/** Largest share of a panel for its legend. */
const MAX_BESIDE = 0.42;
const MAX_BELOW = 0.6;
/** Between a view and its legend, in sizes of the text. */
const BETWEEN = 1;
const BAR_SHARE = 0.3;
/** Longest name of a group over the view, in sizes of the text. */
const MAX_NAME = 15;

/** A view's place in its panel, and its legend there; points from the corner of the panel's body. */
export interface ViewRoom {
  picture: Size;
  /** At the left of the picture and below it. */
  axes: number;
  legend: string;
  /** Of the legend, which shrinks where it has no room. */
  textPt: number;
}

/** Room for the names of a UMAP's axes at its left and below it, in sizes of the text. */
const AXES = 1.6;

/** Divides a panel between its view, the legend, and the axes of a UMAP. */
export function viewRoom(
  panel: Pick<FigurePanel, "legend" | "id">,
  parts: readonly LegendPart[],
  size: Size,
  look: { textPt: number; hasAxes: boolean },
): ViewRoom {
  const room = legendRoom(panel, parts, size, look.textPt);
  const axes = look.hasAxes ? AXES * look.textPt : 0;
  const { width, height } = room.picture;
  const picture = { width: Math.max(1, width - axes), height: Math.max(1, height - axes) };
  return { ...room, axes, picture };
}

function legendRoom(
  { legend, id }: Pick<FigurePanel, "legend" | "id">,
  parts: readonly LegendPart[],
  { width, height }: Size,
  textPt: number,
): Omit<ViewRoom, "axes"> {
  if (legend === "none" || parts.length === 0) {
    return { picture: { width, height }, legend: "", textPt };
  }
  const isBeside = legend === "right";
  const room = isBeside
    ? { width: MAX_BESIDE * width, height }
    : { width, height: MAX_BELOW * height };
  const drawn = legendSvg(parts, { width: room.width, textPt, flows: !isBeside, id });
  const scale = Math.min(1, fitted(drawn, room).scale);
  const gap = BETWEEN * textPt;
  const picture = isBeside
    ? { width: width - gap - scale * drawn.width, height }
    : { width, height: height - gap - scale * drawn.height };
  const at = isBeside ? `${n(picture.width + gap)} 0` : `0 ${n(picture.height + gap)}`;
  return {
    picture,
    legend: `<g transform="translate(${at}) scale(${n(scale)})">${drawn.svg}</g>`,
    textPt: scale * textPt,
  };
}

/** A view as it was drawn for a place of the page. */
export interface ViewPicture {
  /** Data URL. */
  raster: string;
  /** SVG elements over it, CSS px of the drawing. */
  shapes: string;
  /** Size of the drawing, CSS px. */
  widthPx: number;
  heightPx: number;
  /** Null on the UMAP. */
  umPerPixel: number | null;
  /** Divider between spots and cells, as a share of the width. */
  swipe: number | null;
  place: Place;
}

/** A view with its scale bar or axes, in points. */
export function viewSvg(
  view: ViewPicture,
  { picture: { width, height }, axes }: Pick<ViewRoom, "picture" | "axes">,
  look: { id: string; textPt: number; hasScaleBar: boolean; anchors: readonly GroupLabel[] },
): string {
  const { raster, shapes, umPerPixel, swipe } = view;
  const scale = width / view.widthPx;
  const size = `width="${n(width)}" height="${n(height)}"`;
  const clip = `${look.id}-view`;
  const drawn = [
    `<defs><clipPath id="${clip}"><rect ${size}/></clipPath></defs>`,
    `<g clip-path="url(#${clip})">`,
    `<image ${size} preserveAspectRatio="none" xlink:href="${raster}"/>`,
    shapes && `<g transform="scale(${n(scale, 6)})">${shapes}</g>`,
    swipe !== null && swipeSvg(swipe * width, height),
    ...labelsIn(view, look, { width, height }).map((label) => labelSvg(label, look.textPt)),
    `</g>`,
    umPerPixel !== null &&
      look.hasScaleBar &&
      barSvg(umPerPixel / scale, { width, height }, look.textPt),
  ];
  const svg = drawn.filter(Boolean).join("");
  if (axes === 0) return svg;
  return `<g transform="translate(${n(axes)} 0)">${svg}</g>${axesSvg(height + axes, look.textPt)}`;
}

function labelsIn(
  { place, widthPx }: ViewPicture,
  { anchors, textPt }: { anchors: readonly GroupLabel[]; textPt: number },
  { width, height }: Size,
): GroupLabel[] {
  const unit = 2 ** place.zoom * (width / widthPx);
  const onPage = anchors.map(({ name, x, y }) => ({
    name: fittingText(name, Math.min(MAX_NAME * textPt, 0.9 * width), textPt),
    x: width / 2 + (x - place.x) * unit,
    y: height / 2 + (y - place.y) * unit,
  }));
  const room = { widthPx: width, heightPx: height, lineHeight: 1.25 * textPt };
  return placedLabels(onPage, room, (name) => 1.05 * widthOf(name, textPt));
}

/** A name with a light edge, which not every program draws under the letters by itself. */
function labelSvg({ name, x, y }: GroupLabel, textPt: number): string {
  const text = (paint: string) =>
    `<text x="${n(x)}" y="${n(y + 0.35 * textPt)}" font-size="${n(textPt)}" text-anchor="middle" ${paint}>${markupText(name)}</text>`;
  const edge = `fill="none" stroke="#ffffff" stroke-width="${n(0.25 * textPt)}" stroke-linejoin="round"`;
  return text(edge) + text(`fill="${INK}"`);
}

function barSvg(umPerPt: number, { width, height }: Size, textPt: number): string {
  const bar = scaleBar(umPerPt, BAR_SHARE * width);
  const pad = 0.45 * textPt;
  const inner = Math.max(bar.widthPx, widthOf(bar.text, textPt));
  const plate = { width: inner + 2 * pad, height: 1.35 * textPt + 2 * pad };
  const left = width - plate.width - 0.6 * textPt;
  const top = height - plate.height - 0.6 * textPt;
  const middle = left + plate.width / 2;
  const line = 0.22 * textPt;
  return [
    `<rect x="${n(left)}" y="${n(top)}" width="${n(plate.width)}" height="${n(plate.height)}" fill="#ffffff" fill-opacity="0.85"/>`,
    `<text x="${n(middle)}" y="${n(top + pad + 0.78 * textPt)}" font-size="${n(textPt)}" text-anchor="middle">${bar.text}</text>`,
    `<rect x="${n(middle - bar.widthPx / 2)}" y="${n(top + plate.height - pad - line)}" width="${n(bar.widthPx)}" height="${n(line)}"/>`,
  ].join("");
}

/** Two arrows in the corner: positions on a UMAP have no unit. */
function axesSvg(height: number, textPt: number): string {
  const long = 3.6 * textPt;
  const tip = 0.28 * textPt;
  const [x, y] = [1.3 * textPt, height - 1.3 * textPt];
  const line = `fill="none" stroke="${INK}" stroke-width="${n(0.09 * textPt)}"`;
  return [
    `<path d="M${n(x)} ${n(y - long)}V${n(y)}H${n(x + long)}" ${line}/>`,
    `<path d="M${n(x - tip)} ${n(y - long)}h${n(2 * tip)}l${n(-tip)} ${n(-2 * tip)}z"/>`,
    `<path d="M${n(x + long)} ${n(y - tip)}v${n(2 * tip)}l${n(2 * tip)} ${n(-tip)}z"/>`,
    `<text x="${n(x)}" y="${n(y + textPt)}" font-size="${n(textPt)}">UMAP 1</text>`,
    `<text transform="translate(${n(x - 0.4 * textPt)} ${n(y)}) rotate(-90)" font-size="${n(textPt)}">UMAP 2</text>`,
  ].join("");
}

function swipeSvg(x: number, height: number): string {
  const line = (color: string, width: number) =>
    `<path d="M${n(x)} 0v${n(height)}" fill="none" stroke="${color}" stroke-width="${width}"/>`;
  return line(INK, 1.5) + line("#ffffff", 0.8);
}

function n(value: number, digits = 2): string {
  return `${Number(value.toFixed(digits))}`;
}
