type Dense = Float32Array | Float64Array;

/** A matrix of b.length columns times b, one sum per row in double precision, rounded to a float. O(rows · k). */
export function multiplyColumn(matrix: Dense, b: Float64Array, out: Float32Array): void {
  const whole = out.length - (out.length % 4);
  for (let row = 0; row < whole; row += 4) multiplyFour(matrix, b, row, out);
  for (let row = whole; row < out.length; row++) out[row] = dot(matrix, row * b.length, b);
}

/** Four rows side by side, so that each sum waits only for its own last term. */
function multiplyFour(matrix: Dense, b: Float64Array, row: number, out: Float32Array): void {
  const k = b.length;
  const first = row * k;
  const [second, third, fourth] = [first + k, first + 2 * k, first + 3 * k];
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let j = 0; j < k; j++) {
    const rate = b[j];
    s0 += matrix[first + j] * rate;
    s1 += matrix[second + j] * rate;
    s2 += matrix[third + j] * rate;
    s3 += matrix[fourth + j] * rate;
  }
  out[row] = s0;
  out[row + 1] = s1;
  out[row + 2] = s2;
  out[row + 3] = s3;
}

/** The row of a matrix that begins at `from`, times b. */
function dot(matrix: Dense, from: number, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < b.length; j++) sum += matrix[from + j] * b[j];
  return sum;
}
