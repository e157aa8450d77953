import type { Ground } from "../../../../components/use-ground.ts";
import { numberText } from "./number-text.ts";
import type { ColorScale, ValueColors } from "./scales.ts";
import { svg } from "./svg.ts";
import { lines, shortened, textWidth } from "@stipple/viewer/figure";

/** One part of a drawing's legend. */
export type LegendPart =
  | {
      kind: "colors";
      label: string;
      scale: ColorScale;
      low: string;
      /** For a scale with a distinct midpoint. */
      middle?: string;
      high: string;
    }
  /** Circles from small to large. */
  | { kind: "sizes"; label: string; sizes: readonly { radius: number; label: string }[] }
  | {
      kind: "groups";
      label?: string;
      items: readonly {
        name: string;
        color: string;
        /** Drawn as a line with these dashes rather than a square. */
        dashes?: string;
      }[];
    }
  /** A symbol in the drawing and what it means. */
  | { kind: "sign"; sign: keyof typeof SIGNS; text: string };

/** Paths, 11 px high, because fonts lack such letters; filled or drawn as lines. */
const SIGNS = {
  bar: { d: "M0 4h11v4h-11z", isFilled: true },
  dash: { d: "M0 6h11", isFilled: false },
  upright: { d: "M5.5 1v10", isFilled: false },
  dot: { d: "M1.5 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", isFilled: true },
  ring: { d: "M1.5 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", isFilled: false },
  triangle: { d: "M5.5 2l4.5 8h-9z", isFilled: false },
  half: { d: "M8 1a5 5 0 0 0 0 10z", isFilled: true },
} as const;

/** What the colors of values mean. */
export function colorPart(
  label: string,
  { scale, low, high, twoSided }: ValueColors,
  highest = numberText(high),
): LegendPart {
  const ends = { low: numberText(low), high: highest };
  return { kind: "colors", label, scale, ...ends, ...(twoSided && { middle: "0" }) };
}

const SIZE = 11;
const LINE = 18;
const GAP = 20;
const BETWEEN = 8;
const RAMP = 132;
let ramps = 0;

/** A legend as a separate drawing: parts side by side, wrapped at `width` px. */
export function legendDrawing(
  parts: readonly LegendPart[],
  width: number,
  ground: Ground,
): SVGSVGElement {
  const drawing = svg("svg", { width, "font-size": SIZE, fill: "currentColor" });
  let left = 0;
  let top = 2;
  let high = 0;
  for (const part of parts) {
    const group = svg("g");
    const size = DRAW[part.kind](group, part as never, width, ground);
    if (left > 0 && left + size.width > width) {
      left = 0;
      top += high + BETWEEN;
      high = 0;
    }
    group.setAttribute("transform", `translate(${left},${top})`);
    drawing.append(group);
    left += size.width + GAP;
    high = Math.max(high, size.height);
  }
  const height = top + high + 4;
  drawing.setAttribute("height", `${height}`);
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return drawing;
}

type Part<Kind extends LegendPart["kind"]> = Extract<LegendPart, { kind: Kind }>;

/** Each draws into a group and returns the space it used, px. */
const DRAW: {
  [Kind in LegendPart["kind"]]: (
    group: SVGGElement,
    part: Part<Kind>,
    width: number,
    ground: Ground,
  ) => { width: number; height: number };
} = {
  colors(group, { label, scale, low, middle, high }, width, ground) {
    const name = named(group, label, width);
    const id = `ramp-${ramps++}`;
    const stops = Array.from({ length: 11 }, (_, k) =>
      svg("stop", { offset: k / 10, "stop-color": scale(k / 10, ground) }),
    );
    group.append(
      svg("defs", {}, svg("linearGradient", { id }, ...stops)),
      svg("rect", { y: name.height + 7, width: RAMP, height: 9, fill: `url(#${id})` }),
      text(low, 0, name.height + 29),
      svg("text", { x: RAMP / 2, y: name.height + 29, "text-anchor": "middle" }, middle ?? ""),
      svg("text", { x: RAMP, y: name.height + 29, "text-anchor": "end" }, high),
    );
    return { width: Math.max(RAMP, name.width), height: name.height + 33 };
  },
  sizes(group, { label, sizes }, width) {
    const name = named(group, label, width);
    const tallest = Math.max(...sizes.map(({ radius }) => radius));
    let left = 0;
    for (const { radius, label: amount } of sizes) {
      group.append(
        svg("circle", {
          cx: left + radius + 1,
          cy: name.height + 9 + tallest,
          r: radius,
          "fill-opacity": 0.25,
          stroke: "currentColor",
        }),
        text(amount, left + 2 * radius + 6, name.height + 13 + tallest),
      );
      left += 2 * radius + 6 + textWidth(amount, SIZE) + 12;
    }
    return { width: Math.max(left - 12, name.width), height: name.height + 13 + 2 * tallest };
  },
  groups(group, { label, items }, width) {
    let top = 11;
    if (label) {
      group.append(text(label, 0, top));
      top += LINE;
    }
    let left = 0;
    for (const { name, color, dashes } of items) {
      const sign = dashes === undefined ? 11 : 26;
      const shown = shortened(name, width - sign - 6, SIZE);
      const wide = sign + 6 + textWidth(shown, SIZE);
      if (left > 0 && left + wide > width) {
        left = 0;
        top += LINE;
      }
      group.append(
        dashes === undefined
          ? svg("rect", { x: left, y: top - 10, width: sign, height: 11, rx: 2, fill: color })
          : svg("line", {
              x1: left,
              x2: left + sign,
              y1: top - 4,
              y2: top - 4,
              stroke: color,
              "stroke-width": 2.5,
              "stroke-dasharray": dashes || "none",
            }),
        text(shown, left + sign + 6, top),
      );
      left += wide + GAP;
    }
    return { width: items.length > 0 ? width : 0, height: top + 4 };
  },
  sign(group, { sign, text: meaning }, width) {
    const left = SIZE + 6;
    const shown = shortened(meaning, width - left, SIZE);
    const { d, isFilled } = SIGNS[sign];
    const look = isFilled ? {} : { fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
    group.append(svg("path", { d, ...look }), text(shown, left, 11));
    return { width: left + textWidth(shown, SIZE), height: 14 };
  },
};

/** Writes a part's label, wrapping long ones, and returns the space it used. */
function named(
  group: SVGGElement,
  label: string,
  width: number,
): { width: number; height: number } {
  const written = lines(label, width, SIZE);
  written.forEach((line, at) => group.append(text(line, 0, 11 + 14 * at)));
  return {
    width: Math.max(...written.map((line) => textWidth(line, SIZE))),
    height: 11 + 14 * (written.length - 1),
  };
}

function text(content: string, x: number, y: number): SVGTextElement {
  return svg("text", { x, y }, content);
}
