export const UNKNOWN_COLOR = "#C9D1DA";

/**
 * The Okabe–Ito palette without black and pale yellow, then darker and lighter colors of other hues, ordered so that
 * neighbors also differ in lightness: distinguishable with common forms of color blindness as far as their number
 * allows.
 */
const COLORS =
  "#0072B2 #E69F00 #009E73 #CC79A7 #56B4E9 #D55E00 #332288 #DDCC77 #882255 #44AA99 #AA4499 #117733 #88CCEE #661100 #999933 #6699CC #CC6677 #004949 #B66DFF #924900 #24FF24 #490092 #FF6DB6 #006DDB #B6DBFF #DB6D00 #5D8A66 #7A7A00".split(
    " ",
  );

/** `count` distinct colors, #RRGGBB. Beyond the list, hues spaced by the golden angle at three lightness levels. */
export function typeColors(count: number): string[] {
  const colors = COLORS.slice(0, count);
  const used = new Set([...colors, UNKNOWN_COLOR]);
  for (let i = 0; colors.length < count; i++) {
    const color = hexOf((i * 137.508) % 360, 0.65, [0.35, 0.55, 0.72][i % 3]);
    if (used.has(color)) continue;
    used.add(color);
    colors.push(color);
  }
  return colors;
}

function hexOf(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): string => {
    const k = (n + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, "0")
      .toUpperCase();
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
