/** A p-value or rate of false discoveries: three digits, small ones as powers of ten; too small for a number is said so. */
export function probabilityText(p: number): string {
  if (p === 0) return "< 1e-300";
  return p < 0.001 ? p.toExponential(1) : p.toPrecision(2);
}

/** A difference with its sign. */
export function signedText(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

/** A number from 0 to `most` that was typed; null for anything else. */
export function numberWithin(text: string, most: number): number | null {
  const value = text.trim() === "" ? NaN : Number(text);
  return value >= 0 && value <= most ? value : null;
}
