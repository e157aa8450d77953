import type { FigureKey } from "./figure-key.ts";
import { viridis } from "./palette.ts";
import { round, svgText } from "./svg.ts";

/** Lengths in em. */
const TITLE = 1.6;
const BAR = { height: 1.1, longest: 18 };
const TICKS = 1.6;

/** The viridis scale from 0 to `top`, left to right. */
export function colorBar(unit: string, top: number): FigureKey {
  return {
    heightIn: (_, font) => font * (TITLE + BAR.height + TICKS),
    draw: ({ x, y, width }, font) => {
      // The last tick label is centered below the end of the bar and needs room to its right.
      const length = Math.min(width - font * 2, font * BAR.longest);
      const barTop = y + font * TITLE;
      const stops = Array.from({ length: 11 }, (_, i) => {
        const [r, g, b] = viridis(i / 10);
        return `<stop offset="${i * 10}%" stop-color="rgb(${r},${g},${b})"/>`;
      });
      const ticks = [0, 0.5, 1].map((fraction) =>
        svgText(
          x + length * fraction,
          barTop + font * (BAR.height + 1.2),
          `${fraction === 1 ? "≥ " : ""}${Number((top * fraction).toPrecision(2))}`,
          { size: font * 0.9, anchor: fraction === 0 ? "start" : "middle" },
        ),
      );
      return [
        `<defs><linearGradient id="viridis" x1="0" y1="0" x2="1" y2="0">${stops.join("")}</linearGradient></defs>`,
        svgText(x, y + font, unit, { size: font, weight: 600 }),
        `<rect x="${round(x)}" y="${round(barTop)}" width="${round(length)}" height="${round(font * BAR.height)}" fill="url(#viridis)"/>`,
        ...ticks,
      ].join("\n");
    },
  };
}
