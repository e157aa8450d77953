/** A scale bar of round length: its width on screen in CSS pixels and its label. */
export interface ScaleBar {
  widthPx: number;
  text: string;
}

/** The longest bar of 1, 2, or 5 × 10ⁿ µm that is at most `longestPx` wide at `umPerPixel` µm per screen pixel. */
export function scaleBar(umPerPixel: number, longestPx: number): ScaleBar {
  const longestUm = umPerPixel * longestPx;
  const power = 10 ** Math.floor(Math.log10(longestUm));
  const step = [5, 2, 1].find((factor) => factor * power <= longestUm) ?? 1;
  const um = step * power;
  return { widthPx: um / umPerPixel, text: lengthText(Number(um.toPrecision(1))) };
}

/** A length with some significant digits, in µm or mm; no finer than 0.01 µm. */
export function lengthText(um: number, digits = 2): string {
  const short = Number(Number(um.toPrecision(digits)).toFixed(2));
  return short >= 1000 ? `${short / 1000} mm` : `${short} µm`;
}
