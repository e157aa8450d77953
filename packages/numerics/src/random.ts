/** Seeded random numbers (sfc32): the same seed gives the same sequence on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare: number | null = null;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = (seed / 2 ** 32) | 0;
    this.#c = 0x9e3779b9 | 0;
    this.#d = 1;
    for (let i = 0; i < 20; i++) this.uint32();
  }

  /** Uniform on 0 … 2³² − 1. */
  uint32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** Uniform on [0, 1) with 53 bits. */
  uniform(): number {
    return ((this.uint32() >>> 5) * 67_108_864 + (this.uint32() >>> 6)) / 9_007_199_254_740_992;
  }

  /** Integer on 0 … n − 1. */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Standard normal (polar method). */
  normal(): number {
    if (this.#spare !== null) {
      const value = this.#spare;
      this.#spare = null;
      return value;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(s)) / s);
      this.#spare = v * factor;
      return u * factor;
    }
  }

  /** Gamma with the given shape and scale 1 (Marsaglia & Tsang 2000). */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * Math.pow(this.uniform() || 1e-300, 1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      const u = this.uniform();
      if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  /** Poisson: Knuth's product method for small means, gamma splitting (Ahrens & Dieter 1974) for large ones. */
  poisson(mean: number): number {
    let count = 0;
    let rest = mean;
    while (rest > 30) {
      const m = Math.floor((rest * 7) / 8);
      const x = this.gamma(m);
      if (x > rest) return count + this.binomial(m - 1, rest / x);
      count += m;
      rest -= x;
    }
    const limit = Math.exp(-rest);
    let product = this.uniform();
    while (product > limit) {
      count++;
      product *= this.uniform();
    }
    return count;
  }

  /** Binomial: counts Bernoulli trials for n < 32, beta splitting with two gammas otherwise. */
  binomial(n: number, p: number): number {
    if (p <= 0 || n <= 0) return 0;
    if (p >= 1) return n;
    if (n < 32) {
      let hits = 0;
      for (let i = 0; i < n; i++) if (this.uniform() < p) hits++;
      return hits;
    }
    // The i-th smallest of n uniforms is Beta(i, n + 1 − i); it lies left or right of p.
    const i = 1 + Math.floor(n / 2);
    const a = this.gamma(i);
    const x = a / (a + this.gamma(n + 1 - i));
    return x <= p ? i + this.binomial(n - i, (p - x) / (1 - x)) : this.binomial(i - 1, p / x);
  }

  /** 0 … n − 1 in random order. */
  order(n: number): Uint32Array<ArrayBuffer> {
    const order = Uint32Array.from({ length: n }, (_, i) => i);
    this.shuffle(order);
    return order;
  }

  /** In-place Fisher–Yates shuffle. */
  shuffle(items: { length: number; [index: number]: number }): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const swap = items[i];
      items[i] = items[j]!;
      items[j] = swap;
    }
  }
}
