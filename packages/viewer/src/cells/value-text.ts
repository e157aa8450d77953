/** A value with three significant digits. */
export function valueText(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
