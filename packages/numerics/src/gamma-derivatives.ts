/** Derivatives of log Γ for x > 0: recurrence up to 10, asymptotic series beyond (Abramowitz & Stegun 6.3.18, 6.4.12–13). */
export function digamma(x: number): number {
  let [sum, at] = [0, x];
  while (at < 10) sum -= 1 / at++;
  const r = 1 / (at * at);
  const series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132)))));
  return sum + Math.log(at) - 0.5 / at - series;
}

/** The derivative of {@link digamma}, which is positive. */
export function trigamma(x: number): number {
  let [sum, at] = [0, x];
  while (at < 10) sum += 1 / (at++) ** 2;
  const r = 1 / (at * at);
  const series = (1 / 6 - r * (1 / 30 - r * (1 / 42 - r * (1 / 30 - r * (5 / 66))))) / at;
  return sum + 1 / at + 0.5 * r + series * r;
}

/** The derivative of {@link trigamma}, which is negative. */
export function tetragamma(x: number): number {
  let [sum, at] = [0, x];
  while (at < 10) sum -= 2 / (at++) ** 3;
  const r = 1 / (at * at);
  const series = r * (1 / 2 - r * (1 / 6 - r * (1 / 6 - r * (3 / 10 - r * (5 / 6)))));
  return sum - r * (1 + 1 / at + series);
}

/** The y with trigamma(y) = x, by Newton's method on 1/trigamma, which is nearly linear (Smyth 2004, appendix). */
export function inverseTrigamma(x: number): number {
  if (x > 1e7) return 1 / Math.sqrt(x);
  if (x < 1e-6) return 1 / x;
  let y = 0.5 + 1 / x;
  for (let i = 0; i < 50; i++) {
    const value = trigamma(y);
    const step = (value * (1 - value / x)) / tetragamma(y);
    y += step;
    if (-step / y < 1e-8) break;
  }
  return y;
}
