import { markupText } from "@stipple/contract/markup";
import { mixedPart } from "../cells/cell-colors.ts";
import { VIRIDIS } from "../cells/viridis.ts";
import { fittingText, widthOf } from "./fitting-text.ts";
import { SIGN_SIZE, SIGNS, type LegendPart } from "./legend-parts.ts";
import { lines } from "./text-width.ts";

/** A legend; `svg` from its upper left corner. Lengths are in the unit of the text's size. */
export interface LegendDrawing {
  svg: string;
  width: number;
  height: number;
}

interface Room {
  /** How wide it may be. */
  width: number;
  textPt: number;
  /** Parts and entries follow each other in lines, rather than one a line. */
  flows: boolean;
  /** Unlike that of other legends on the page. */
  id: string;
}

/** Lengths in sizes of the text. */
const LINE = 1.4;
const SWATCH = 0.9;
const BESIDE = 0.5;
const BETWEEN = 1.1;
const PARTS = 1.8;
/** A line in place of a swatch. */
const DASHES = 2.4;
const BAR = { width: 10, height: 0.8 };
const SQUARE = 6;

/** The parts of a legend, one below the other, or side by side where they have room. */
export function legendSvg(parts: readonly LegendPart[], room: Room): LegendDrawing {
  let [x, y, height, width] = [0, 0, 0, 0];
  const drawn = parts.map((part, at) => {
    const one = partSvg(part, { ...room, id: `${room.id}-${at}` });
    if (at > 0 && (!room.flows || x + one.width > room.width)) {
      [x, y] = [0, height + 0.6 * room.textPt];
    }
    const svg = `<g transform="translate(${n(x)} ${n(y)})">${one.svg}</g>`;
    height = Math.max(height, y + one.height);
    width = Math.max(width, x + one.width);
    x += one.width + PARTS * room.textPt;
    return svg;
  });
  return { svg: drawn.join(""), width, height };
}

function partSvg(part: LegendPart, room: Room): LegendDrawing {
  switch (part.kind) {
    case "groups":
      return groupsSvg(part, room);
    case "scale":
      return scaleSvg(part, room);
    case "two":
      return twoSvg(part, room);
    case "sizes":
      return sizesSvg(part, room);
    case "sign":
      return signSvg(part, room);
  }
}

/** Texts below each other, in lines that fit, the first one bold under a title. */
function linesSvg(
  texts: readonly string[],
  { width, textPt }: Room,
  isTitled = true,
): LegendDrawing {
  const wide = 1.05 * textPt;
  const shown = texts.filter(Boolean).flatMap((text, at) =>
    lines(text, width, wide).map((line) => ({
      text: fittingText(line, width, textPt),
      look: isTitled && at === 0 ? `font-weight="600"` : "",
    })),
  );
  return {
    svg: shown
      .map(({ text, look }, at) => written(text, 0, LINE * textPt * at, textPt, look))
      .join(""),
    width: Math.max(0, ...shown.map(({ text }) => widthOf(text, wide))),
    height: LINE * textPt * shown.length,
  };
}

function groupsSvg(
  { title, entries }: Extract<LegendPart, { kind: "groups" }>,
  room: Room,
): LegendDrawing {
  const { width, textPt, flows } = room;
  const head = linesSvg([title], room);
  let [x, y, widest] = [0, head.height, head.width];
  const drawn = entries.map(({ name, color, dashes }, at) => {
    const sign = (dashes === undefined ? SWATCH : DASHES) * textPt;
    const indent = sign + BESIDE * textPt;
    const text = fittingText(name, width - indent, textPt);
    const wide = indent + widthOf(text, textPt);
    if (at > 0 && (!flows || x + wide > width)) [x, y] = [0, y + LINE * textPt];
    const swatch =
      dashes === undefined
        ? `<rect x="${n(x)}" y="${n(y)}" width="${n(sign)}" height="${n(sign)}" fill="${color}"/>`
        : `<path d="M${n(x)} ${n(y + 0.45 * textPt)}h${n(sign)}" stroke="${color}" stroke-width="2.5" stroke-dasharray="${dashes || "none"}"/>`;
    const svg = swatch + written(text, x + indent, y, textPt);
    widest = Math.max(widest, x + wide);
    x += wide + BETWEEN * textPt;
    return svg;
  });
  const height = entries.length > 0 ? y + LINE * textPt : head.height;
  return { svg: head.svg + drawn.join(""), width: widest, height };
}

function scaleSvg(
  { title, note, low, middle, high, colors }: Extract<LegendPart, { kind: "scale" }>,
  room: Room,
): LegendDrawing {
  const { textPt, id } = room;
  const head = linesSvg([title, note], room);
  const width = Math.min(room.width, BAR.width * textPt);
  const height = BAR.height * textPt;
  const y = head.height + 0.15 * textPt;
  const below = y + height + 0.35 * textPt;
  const svg = [
    `<defs><linearGradient id="${id}">${stops(colors ?? viridis())}</linearGradient></defs>`,
    head.svg,
    `<rect y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="url(#${id})"/>`,
    written(low, 0, below, textPt),
    middle ? written(middle, width / 2, below, textPt, `text-anchor="middle"`) : "",
    written(high, width, below, textPt, `text-anchor="end"`),
  ];
  return {
    svg: svg.join(""),
    width: Math.max(head.width, width),
    height: below + LINE * textPt,
  };
}

function twoSvg(
  { note, names, highs }: Extract<LegendPart, { kind: "two" }>,
  room: Room,
): LegendDrawing {
  const { textPt } = room;
  const [across, up] = names.map((name, at) =>
    fittingText(`${name} ${["→", "↑"][at]} ${highs[at]}`, room.width, textPt),
  ) as [string, string];
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const side = (SQUARE * textPt) / steps.length;
  const top = LINE * textPt;
  const squares = steps.flatMap((a, x) =>
    steps.map((b, y) => {
      const color = hex([0, 1, 2].map((part) => mixedPart(a, b, part)));
      return `<rect x="${n(x * side)}" y="${n(top + (4 - y) * side)}" width="${n(side)}" height="${n(side)}" fill="${color}"/>`;
    }),
  );
  const below = top + SQUARE * textPt + 0.3 * textPt;
  const foot = linesSvg([across, note], room, false);
  return {
    svg: [
      written(up, 0, 0, textPt),
      ...squares,
      `<g transform="translate(0 ${n(below)})">${foot.svg}</g>`,
    ].join(""),
    width: Math.max(SQUARE * textPt, widthOf(up, textPt), foot.width),
    height: below + foot.height,
  };
}

function sizesSvg(
  { title, sizes }: Extract<LegendPart, { kind: "sizes" }>,
  room: Room,
): LegendDrawing {
  const { textPt } = room;
  const head = linesSvg([title], room);
  const middle = head.height + 1 + Math.max(...sizes.map(({ radius }) => radius));
  let width = 0;
  const drawn = sizes.map(({ radius, label }) => {
    const [x, text] = [width + radius + 1, width + 2 * radius + BESIDE * textPt];
    width = text + widthOf(label, textPt) + BETWEEN * textPt;
    const circle = `<circle cx="${n(x)}" cy="${n(middle)}" r="${n(radius)}" fill-opacity="0.25" stroke="currentColor"/>`;
    return circle + written(label, text, middle - 0.45 * textPt, textPt);
  });
  return {
    svg: head.svg + drawn.join(""),
    width: Math.max(head.width, width - BETWEEN * textPt),
    height: 2 * middle - head.height,
  };
}

function signSvg(
  { sign, text }: Extract<LegendPart, { kind: "sign" }>,
  { width, textPt }: Room,
): LegendDrawing {
  const left = (1 + BESIDE) * textPt;
  const shown = fittingText(text, width - left, textPt);
  const { d, isFilled } = SIGNS[sign];
  const look = isFilled ? "" : ` fill="none" stroke="currentColor" stroke-width="1.5"`;
  const drawn = `<path transform="scale(${n(textPt / SIGN_SIZE)})" d="${d}"${look}/>`;
  return {
    svg: drawn + written(shown, left, 0, textPt),
    width: left + widthOf(shown, textPt),
    height: LINE * textPt,
  };
}

function viridis(): string[] {
  const colors = VIRIDIS.length / 3;
  return Array.from({ length: 9 }, (_, at) => {
    const color = 3 * Math.round((at / 8) * (colors - 1));
    return hex([...VIRIDIS.slice(color, color + 3)]);
  });
}

function stops(colors: readonly string[]): string {
  return colors
    .map((color, at) => `<stop offset="${at / (colors.length - 1)}" stop-color="${color}"/>`)
    .join("");
}

/** `y`: the top of the line. */
function written(text: string, x: number, y: number, textPt: number, more = ""): string {
  return `<text x="${n(x)}" y="${n(y + 0.78 * textPt)}" font-size="${n(textPt)}"${more && ` ${more}`}>${markupText(text)}</text>`;
}

function hex(rgb: readonly number[]): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

const n = (value: number): string => `${Number(value.toFixed(2))}`;
