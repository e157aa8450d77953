import { round, svgText } from "./svg.ts";

/** Longest of 1, 2, 5 × 10ⁿ µm that is at most a quarter of `widthUm`. */
export function scaleBarLength(widthUm: number): number {
  const room = widthUm / 4;
  const power = 10 ** Math.floor(Math.log10(room));
  const step = [5, 2, 1].find((factor) => factor * power <= room) ?? 1;
  return step * power;
}

/** A scale bar with its left end at x and its lower edge at y. `micronsPerPixel` refers to the figure. */
export function svgScaleBar(
  x: number,
  y: number,
  panelWidthPx: number,
  micronsPerPixel: number,
  size: number,
): string {
  const lengthUm = scaleBarLength(panelWidthPx * micronsPerPixel);
  const width = lengthUm / micronsPerPixel;
  const height = size * 0.3;
  const label =
    lengthUm >= 1000 ? `${lengthUm / 1000} mm` : `${Number(lengthUm.toPrecision(3))} µm`;
  const bar = `x="${round(x)}" y="${round(y - height)}" width="${round(width)}" height="${round(height)}" fill="#0f1b2a"`;
  return [
    `<rect ${bar} stroke="#ffffff" stroke-width="${round(size * 0.12)}"/>`,
    `<rect ${bar}/>`,
    svgText(x + width + size * 0.5, y + size * 0.2, label, { size, weight: 600, halo: true }),
  ].join("\n");
}
