import { viridis } from "./palette.ts";
import { round, svgText } from "./svg.ts";

/** The viridis scale from 0 to `top`, in the column beside a panel. */
export function colorBar(
  box: { x: number; y: number; height: number },
  font: number,
  unit: string,
  top: number,
): string {
  const height = Math.min(box.height * 0.5, font * 18);
  const barTop = box.y + font * 2;
  const stops = Array.from({ length: 11 }, (_, i) => {
    const [r, g, b] = viridis(1 - i / 10);
    return `<stop offset="${i * 10}%" stop-color="rgb(${r},${g},${b})"/>`;
  });
  const ticks = [0, 0.5, 1].map((fraction) =>
    svgText(
      box.x + font * 1.8,
      barTop + height * (1 - fraction) + font * 0.35,
      `${fraction === 1 ? "≥ " : ""}${Number((top * fraction).toPrecision(2))}`,
      { size: font * 0.9 },
    ),
  );
  return [
    `<defs><linearGradient id="viridis" x1="0" y1="0" x2="0" y2="1">${stops.join("")}</linearGradient></defs>`,
    svgText(box.x, box.y + font, unit, { size: font, weight: 600 }),
    `<rect x="${box.x}" y="${round(barTop)}" width="${round(font * 1.2)}" height="${round(height)}" fill="url(#viridis)"/>`,
    ...ticks,
  ].join("\n");
}
