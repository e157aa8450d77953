import type { ColorScale } from "./scales.ts";
import { svg } from "./svg.ts";
import { shortened, textWidth } from "./text-width.ts";

/** One part of what explains a drawing's marks. */
export type LegendPart =
  | { kind: "colors"; label: string; scale: ColorScale; low: string; high: string }
  /** Circles from small to large. */
  | { kind: "sizes"; label: string; sizes: readonly { radius: number; label: string }[] }
  | {
      kind: "groups";
      label?: string;
      items: readonly {
        name: string;
        color: string;
        /** As a line with these dashes, rather than a square. */
        dashes?: string;
      }[];
    }
  /** A sign in the drawing, and what it means. */
  | { kind: "sign"; sign: string; text: string };

const SIZE = 11;
const LINE = 18;
const GAP = 20;
const RAMP = 132;
let ramps = 0;

/** A legend as a drawing of its own, in lines of at most `width` px. */
export function legendDrawing(parts: readonly LegendPart[], width: number): SVGSVGElement {
  const drawing = svg("svg", { width, "font-size": SIZE, fill: "currentColor" });
  let top = 2;
  for (const part of parts) {
    const group = svg("g", { transform: `translate(0,${top})` });
    top += DRAW[part.kind](group, part as never, width) + 8;
    drawing.append(group);
  }
  drawing.setAttribute("height", `${top}`);
  drawing.setAttribute("viewBox", `0 0 ${width} ${top}`);
  return drawing;
}

type Part<Kind extends LegendPart["kind"]> = Extract<LegendPart, { kind: Kind }>;

/** Each draws into a group and gives the height that it took. */
const DRAW: {
  [Kind in LegendPart["kind"]]: (group: SVGGElement, part: Part<Kind>, width: number) => number;
} = {
  colors(group, { label, scale, low, high }) {
    const id = `ramp-${ramps++}`;
    const stops = Array.from({ length: 11 }, (_, k) =>
      svg("stop", { offset: k / 10, "stop-color": scale(k / 10) }),
    );
    group.append(
      text(label, 0, 11),
      svg("defs", {}, svg("linearGradient", { id }, ...stops)),
      svg("rect", { y: 18, width: RAMP, height: 9, fill: `url(#${id})` }),
      text(low, 0, 40),
      svg("text", { x: RAMP, y: 40, "text-anchor": "end" }, high),
    );
    return 44;
  },
  sizes(group, { label, sizes }) {
    group.append(text(label, 0, 11));
    const tallest = Math.max(...sizes.map(({ radius }) => radius));
    let left = 0;
    for (const { radius, label: name } of sizes) {
      group.append(
        svg("circle", {
          cx: left + radius + 1,
          cy: 20 + tallest,
          r: radius,
          "fill-opacity": 0.25,
          stroke: "currentColor",
        }),
        text(name, left + 2 * radius + 6, 24 + tallest),
      );
      left += 2 * radius + 6 + textWidth(name, SIZE) + 12;
    }
    return 24 + 2 * tallest;
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
    return top + 4;
  },
  sign(group, { sign, text: meaning }, width) {
    group.append(
      text(sign, 0, 11),
      text(shortened(meaning, width - 20, SIZE), textWidth(sign, SIZE) + 6, 11),
    );
    return 14;
  },
};

function text(content: string, x: number, y: number): SVGTextElement {
  return svg("text", { x, y }, content);
}
