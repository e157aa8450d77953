const HUES = 24;
/** Brightness, 0–1. */
const SHADES = [0.85, 0.55] as const;

/** A strong color that is as unlike all of these as possible; #rrggbb. */
export function distinctColor(taken: readonly string[]): string {
  const others = taken.map(channels);
  let best = { color: "", distance: -1 };
  for (let at = 0; at < HUES * SHADES.length; at++) {
    const color = strong(at % HUES, SHADES[Math.floor(at / HUES)]!);
    const own = channels(color);
    const distance = Math.min(
      Infinity,
      ...others.map((other) => Math.hypot(...other.map((value, c) => value - own[c]!))),
    );
    if (distance > best.distance) best = { color, distance };
  }
  return best.color;
}

function strong(hue: number, value: number): string {
  const level = (offset: number): string => {
    const k = (offset + (6 * hue) / HUES) % 6;
    const share = value * (1 - 0.8 * Math.max(0, Math.min(k, 4 - k, 1)));
    return Math.round(255 * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${level(5)}${level(3)}${level(1)}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
