/**
 * Rates of a cell, which begin at `at`: λ ← λ ∘ (above + shape) / (expected + shape). Four floats at a time, rounded
 * after every operation.
 */
export function combineSpots(
  at: usize,
  end: usize,
  expected: usize,
  above: usize,
  shape: usize,
): void {
  for (; at < end; at += 16, expected += 16, above += 16, shape += 16) {
    combine(at, v128.load(expected), v128.load(above), v128.load(shape));
  }
}

/** With bins of its own: shape ∘ expected + 1e-20 takes the place of the shape. */
export function combineBins(
  at: usize,
  end: usize,
  expected: usize,
  above: usize,
  shape: usize,
): void {
  for (; at < end; at += 16, expected += 16, above += 16, shape += 16) {
    const below = v128.load(expected);
    const prior = f32x4.add(f32x4.mul(v128.load(shape), below), f32x4.splat(1e-20));
    combine(at, below, v128.load(above), prior);
  }
}

function combine(at: usize, below: v128, above: v128, prior: v128): void {
  const moved = f32x4.mul(v128.load(at), f32x4.add(above, prior));
  v128.store(at, f32x4.div(moved, f32x4.add(below, prior)));
}
