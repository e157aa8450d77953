/** Values divided by their sum. */
export function normalized(values: Float64Array): Float64Array<ArrayBuffer> {
  const sum = values.reduce((a, b) => a + b, 0);
  return Float64Array.from(values, (value) => value / sum);
}
