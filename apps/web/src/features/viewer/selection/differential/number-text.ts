/** A p-value or FDR: two significant digits, small values in scientific notation, and "< 1e-300" on underflow. */
export function probabilityText(p: number): string {
  if (p === 0) return "< 1e-300";
  return p < 0.001 ? p.toExponential(1) : p.toPrecision(2);
}

/** A signed difference. */
export function signedText(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

/** Parses a typed number from 0 to `most`; null for anything else. */
export function numberWithin(text: string, most: number): number | null {
  const value = text.trim() === "" ? NaN : Number(text);
  return value >= 0 && value <= most ? value : null;
}
