/** Two floats from `at` on, as doubles. */
export function floats(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load_zero<u64>(at));
}

/** The double at `at`, in both lanes. */
export function twice(at: usize): v128 {
  return v128.load_splat<f64>(at);
}

/** sum + a · b. */
export function plus(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** sum ← sum + share · row, for the doubles from `at` to `end` and a row of floats. */
export function addFloats(at: usize, end: usize, shares: usize, row: usize): void {
  const share = twice(shares);
  for (; at < end; at += 16, row += 8) {
    v128.store(at, plus(v128.load(at), share, floats(row)));
  }
}

/** Four rows of floats, one after another: a quarter of the loads and stores of the sum. */
export function addFourFloats(
  at: usize,
  end: usize,
  shares: usize,
  a: usize,
  b: usize,
  c: usize,
  d: usize,
): void {
  const ofA = twice(shares);
  const ofB = twice(shares + 8);
  const ofC = twice(shares + 16);
  const ofD = twice(shares + 24);
  for (; at < end; at += 16, a += 8, b += 8, c += 8, d += 8) {
    let sum = plus(v128.load(at), ofA, floats(a));
    sum = plus(sum, ofB, floats(b));
    sum = plus(sum, ofC, floats(c));
    v128.store(at, plus(sum, ofD, floats(d)));
  }
}

/** sum ← sum + share · row, for a row of doubles. */
export function addDoubles(at: usize, end: usize, shares: usize, row: usize): void {
  const share = twice(shares);
  for (; at < end; at += 16, row += 16) {
    v128.store(at, plus(v128.load(at), share, v128.load(row)));
  }
}

/** Four rows of doubles. */
export function addFourDoubles(
  at: usize,
  end: usize,
  shares: usize,
  a: usize,
  b: usize,
  c: usize,
  d: usize,
): void {
  const ofA = twice(shares);
  const ofB = twice(shares + 8);
  const ofC = twice(shares + 16);
  const ofD = twice(shares + 24);
  for (; at < end; at += 16, a += 16, b += 16, c += 16, d += 16) {
    let sum = plus(v128.load(at), ofA, v128.load(a));
    sum = plus(sum, ofB, v128.load(b));
    sum = plus(sum, ofC, v128.load(c));
    v128.store(at, plus(sum, ofD, v128.load(d)));
  }
}
