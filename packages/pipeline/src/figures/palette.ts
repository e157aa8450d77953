/**
 * Colors that everybody can tell apart: Okabe & Ito (2008), with black reserved for text, then colors farthest from all
 * earlier ones and from the gray of missing values. Any two differ by at least 10 (CIEDE2000), also as seen by people
 * with protanopia, deuteranopia, or tritanopia (Machado et al. 2009); palette.test.ts checks this.
 */
const APART = [
  "#E69F00",
  "#56B4E9",
  "#009E73",
  "#F0E442",
  "#0072B2",
  "#D55E00",
  "#CC79A7",
  "#662222",
  "#333355",
  "#AA2200",
  "#0011CC",
  "#885566",
];

/** More groups than this need a mark in addition to their color. */
export const MAX_COLORS = APART.length;

/**
 * Muted colors for clusters of spots, so that nobody takes them for cell types or clusters of cells: any two differ by at
 * least 10 for all of these eyes, and each differs by at least 10 from the colors of APART and of common cell types.
 */
const MUTED = [
  "#004422",
  "#CC8877",
  "#777788",
  "#FFDDBB",
  "#552244",
  "#AA99CC",
  "#776622",
  "#445588",
  "#99BBAA",
  "#337755",
  "#997777",
  "#DDCCFF",
];

/** Chroma in OKLab: near-gray would look like text and missing values. */
const VIVID = { least: 0.06, most: Infinity };
const PALE = { least: 0.025, most: 0.09 };

/** `count` colors for groups of cells, no two alike. Beyond `MAX_COLORS` they need a mark (see `hollowGroups`). */
export function categoryColors(count: number): string[] {
  return continued(APART, VIVID, count);
}

/** `count` colors for clusters of spots or bins, no two alike. */
export function spotColors(count: number): string[] {
  return continued(MUTED, PALE, count);
}

/**
 * The first colors, then greedily the color within `chroma` that is farthest in OKLab from all earlier ones (Glasbey et
 * al. 2007). O(count · 4096).
 */
function continued(
  first: readonly string[],
  chroma: { least: number; most: number },
  count: number,
): string[] {
  const chosen = first.slice(0, count);
  if (chosen.length === count) return chosen;
  const candidates: { hex: string; lab: Lab; distance: number }[] = [];
  for (let r = 0; r < 256; r += 17) {
    for (let g = 0; g < 256; g += 17) {
      for (let b = 0; b < 256; b += 17) {
        const lab = okLab(r, g, b);
        // Near-white vanishes on paper; near-black looks like text.
        const own = Math.hypot(lab[1], lab[2]);
        if (lab[0] < 0.35 || lab[0] > 0.9 || own < chroma.least || own > chroma.most) continue;
        candidates.push({ hex: toHex(r, g, b), lab, distance: Infinity });
      }
    }
  }
  const separate = (lab: Lab): void => {
    for (const candidate of candidates) {
      candidate.distance = Math.min(candidate.distance, squaredDistance(candidate.lab, lab));
    }
  };
  for (const hex of chosen) separate(okLab(...parseColor(hex)));
  while (chosen.length < count) {
    const best = candidates.reduce((a, b) => (b.distance > a.distance ? b : a));
    chosen.push(best.hex);
    separate(best.lab);
  }
  return chosen;
}

/** #rrggbb → 0–255 per channel. */
export function parseColor(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1, 7), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function toHex(r: number, g: number, b: number): string {
  return `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1).toUpperCase()}`;
}

/** Squared distance of two colors in OKLab, 0–1. */
export function colorDistance(a: string, b: string): number {
  return squaredDistance(okLab(...parseColor(a)), okLab(...parseColor(b)));
}

type Lab = [number, number, number];

function squaredDistance(a: Lab, b: Lab): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** OKLab of an sRGB color (Ottosson 2020). */
function okLab(r: number, g: number, b: number): Lab {
  const linear = (value: number): number => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  const [lr, lg, lb] = [linear(r), linear(g), linear(b)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Anchors of matplotlib's viridis at equal steps. */
const VIRIDIS = [
  "#440154",
  "#482878",
  "#3E4989",
  "#31688E",
  "#26828E",
  "#1F9E89",
  "#35B779",
  "#6ECE58",
  "#B5DE2B",
  "#FDE725",
].map(parseColor);

/** Color of a fraction 0–1 on the viridis scale; NaN gets the color of 0. */
export function viridis(fraction: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, fraction || 0)) * (VIRIDIS.length - 1);
  const low = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const rest = at - low;
  return VIRIDIS[low].map((value, channel) =>
    Math.round(value + (VIRIDIS[low + 1][channel] - value) * rest),
  ) as [number, number, number];
}

/** Ends and middle of a diverging scale suitable for color-blind readers, after ColorBrewer's RdBu. */
const DIVERGING = ["#2166AC", "#92C5DE", "#F7F7F7", "#F4A582", "#B2182B"].map(parseColor);

/** Color of a value from −1 (blue) through 0 (white) to 1 (red). */
export function diverging(value: number): [number, number, number] {
  const at = ((Math.min(1, Math.max(-1, value || 0)) + 1) / 2) * (DIVERGING.length - 1);
  const low = Math.min(DIVERGING.length - 2, Math.floor(at));
  return DIVERGING[low].map((channel, c) =>
    Math.round(channel + (DIVERGING[low + 1][c] - channel) * (at - low)),
  ) as [number, number, number];
}
