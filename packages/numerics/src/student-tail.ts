import { normalUpperTail } from "./normal-tail.ts";

/**
 * Two-sided tail of Student's t, P(|T| > |t|): the regularized incomplete beta function at df/(df + t²); the normal tail
 * where there is no difference.
 */
export function studentTwoSided(t: number, df: number): number {
  if (Number.isNaN(t) || !(df > 0)) return NaN;
  if (df > 1e10) return 2 * normalUpperTail(Math.abs(t));
  const x = df / (df + t * t);
  return incompleteBeta(x, df / 2, 0.5);
}

/** The t with P(|T| > t) = p, by bisection: 2.776 for 0.05 and 4 degrees of freedom. */
export function studentQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1) || !(df > 0)) return NaN;
  let [low, high] = [0, 1];
  while (studentTwoSided(high, df) > p) high *= 2;
  for (let i = 0; i < 100 && high - low > 1e-13 * high; i++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, df) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b) by its continued fraction (DLMF 8.17.22, evaluated by Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) /
    a;
  let [f, c, d] = [1, 1, 0];
  for (let i = 0; i < 500; i++) {
    const m = i >> 1;
    const step =
      i === 0
        ? 1
        : i % 2 === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + step * d || 1e-300);
    c = 1 + step / c || 1e-300;
    f *= c * d;
    if (i > 0 && Math.abs(1 - c * d) < 1e-15) break;
  }
  return front * (f - 1);
}

/** Stirling's series above 10, recurrence below. */
function logGamma(x: number): number {
  let [shift, at] = [0, x];
  while (at < 10) shift += Math.log(at++);
  const r = 1 / (at * at);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
