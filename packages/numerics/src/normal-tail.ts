/**
 * Upper tail of the standard normal distribution, P(Z > z), to about 1e-14 relative, down to the smallest numbers:
 * power series of erf near 0 (Abramowitz & Stegun 7.1.6), continued fraction of erfc beyond (7.1.14, evaluated by Lentz).
 */
export function normalUpperTail(z: number): number {
  if (Number.isNaN(z)) return NaN;
  if (z < 0) return 1 - normalUpperTail(-z);
  const x = z / Math.SQRT2;
  return x < 2 ? 0.5 - 0.5 * erfBySeries(x) : 0.5 * erfcByFraction(x);
}

function erfBySeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function erfcByFraction(x: number): number {
  let f = x;
  let c = x;
  let d = 0;
  for (let n = 1; n < 500; n++) {
    const a = n / 2;
    d = 1 / (x + a * d);
    c = x + a / c;
    f *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return Math.exp(-x * x) / (f * Math.sqrt(Math.PI));
}
