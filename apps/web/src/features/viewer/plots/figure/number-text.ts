/** Below this, digits would be hard to read behind leading zeros. */
const SMALL = 1e-3;

/** A value with three significant digits; very small ones as 2.1e-12. */
export function numberText(value: number): string {
  if (value !== 0 && Math.abs(value) < SMALL) return value.toExponential(1).replaceAll("-", "−");
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 }).replace("-", "−");
}
