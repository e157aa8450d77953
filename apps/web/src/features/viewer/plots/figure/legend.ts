import { legendSvg, type LegendPart as DrawnPart } from "@stipple/viewer/figure";
import type { Ground } from "../../../../components/use-ground.ts";
import { TYPE } from "./draw-plot.ts";
import { numberText } from "./number-text.ts";
import type { ColorScale, ValueColors } from "./scales.ts";

/** One part of a drawing's legend; colors depend on the ground. */
export type LegendPart = DrawnPart | ColorPart;

interface ColorPart {
  kind: "colors";
  title: string;
  scale: ColorScale;
  low: string;
  middle?: string;
  high: string;
}

/** What the colors of values mean. */
export function colorPart(
  title: string,
  { scale, low, high, twoSided }: ValueColors,
  highest = numberText(high),
): LegendPart {
  const ends = { low: numberText(low), high: highest };
  return { kind: "colors", title, scale, ...ends, ...(twoSided && { middle: "0" }) };
}

let legends = 0;

/** A legend as a separate drawing: parts side by side, wrapped at `width` px. */
export function legendDrawing(
  parts: readonly LegendPart[],
  width: number,
  ground: Ground,
): SVGSVGElement {
  const shown = parts.map((part) => (part.kind === "colors" ? withColors(part, ground) : part));
  const room = { width, textPt: TYPE, flows: true, id: `legend-${legends++}` };
  const { svg: content, height } = legendSvg(shown, room);
  const head = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const drawing = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg" ${head} fill="currentColor">${content}</svg>`,
    "image/svg+xml",
  );
  return drawing.documentElement as unknown as SVGSVGElement;
}

function withColors({ scale, ...part }: ColorPart, ground: Ground): DrawnPart {
  const colors = Array.from({ length: 11 }, (_, at) => scale(at / 10, ground));
  return { ...part, kind: "scale", note: "", colors };
}
