/** Stops of matplotlib's viridis (Smith & van der Walt 2015), evenly spaced. */
const STOPS = [
  [68, 1, 84],
  [72, 40, 120],
  [62, 74, 137],
  [49, 104, 142],
  [38, 130, 142],
  [31, 158, 137],
  [53, 183, 121],
  [109, 205, 89],
  [180, 222, 44],
  [253, 231, 37],
] as const;

/** RGB of 256 shades from dark violet (0) to yellow (255). */
export const VIRIDIS: Uint8Array = shades();

function shades(): Uint8Array {
  const table = new Uint8Array(256 * 3);
  for (let shade = 0; shade < 256; shade++) {
    const at = (shade / 255) * (STOPS.length - 1);
    const low = Math.min(STOPS.length - 2, Math.floor(at));
    for (let channel = 0; channel < 3; channel++) {
      const from = STOPS[low]![channel]!;
      const to = STOPS[low + 1]![channel]!;
      table[shade * 3 + channel] = Math.round(from + (to - from) * (at - low));
    }
  }
  return table;
}

/** The scale as a CSS gradient from left to right. */
export const VIRIDIS_GRADIENT = `linear-gradient(to right, ${STOPS.map((rgb) => `rgb(${rgb.join(" ")})`).join(", ")})`;
