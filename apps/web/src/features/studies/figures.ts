/** "12,345". */
export function wholeText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Three significant digits; a dash if unknown. */
export function figureText(value: number | null): string {
  if (value === null) return "–";
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}

export function percentText(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
