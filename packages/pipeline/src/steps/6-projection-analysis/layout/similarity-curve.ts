/** Similarity of two cells in the embedding at distance d: 1 / (1 + a · d^2b). */
export interface SimilarityCurve {
  a: number;
  b: number;
}

/** Number of distances, from 0 to 3, at which the curve is fitted. */
const POINTS = 300;
const ROUNDS = 200;

/** Least-squares fit of the curve to 1 up to `minDist` and exp(minDist − d) beyond (Levenberg–Marquardt). */
export function fitSimilarityCurve(minDist: number): SimilarityCurve {
  const d = Float64Array.from({ length: POINTS }, (_, i) => (3 * i) / (POINTS - 1));
  const wanted = d.map((distance) => Math.min(1, Math.exp(minDist - distance)));
  const value = (a: number, b: number, i: number): number => 1 / (1 + a * d[i] ** (2 * b));
  const errorOf = (a: number, b: number): number =>
    wanted.reduce((sum, each, i) => sum + (value(a, b, i) - each) ** 2, 0);
  let [a, b, damping] = [1, 1, 1e-3];
  let error = errorOf(a, b);
  for (let round = 0; round < ROUNDS; round++) {
    let [aa, ab, bb, towardA, towardB] = [0, 0, 0, 0, 0];
    // At distance 0 the value is 1 for any a and b.
    for (let i = 1; i < POINTS; i++) {
      const f = value(a, b, i);
      const power = d[i] ** (2 * b);
      const byA = -power * f * f;
      const byB = -2 * a * power * Math.log(d[i]) * f * f;
      aa += byA * byA;
      ab += byA * byB;
      bb += byB * byB;
      towardA += byA * (f - wanted[i]);
      towardB += byB * (f - wanted[i]);
    }
    aa *= 1 + damping;
    bb *= 1 + damping;
    const determinant = aa * bb - ab * ab;
    const nextA = a - (bb * towardA - ab * towardB) / determinant;
    const nextB = b - (aa * towardB - ab * towardA) / determinant;
    const next = errorOf(nextA, nextB);
    if (next < error) {
      [a, b, error] = [nextA, nextB, next];
      damping /= 10;
    } else {
      damping *= 10;
    }
  }
  return { a, b };
}
