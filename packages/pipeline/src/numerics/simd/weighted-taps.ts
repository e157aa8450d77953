import {
  add,
  int,
  isLess,
  loadFloats,
  loadTwice,
  multiply,
  plus,
  repeatWhile,
  simdFunction,
  storeFloats,
  type Code,
  type SimdFunction,
} from "./assembler.ts";

/** Floats written at a time. */
export const TAPS_TOGETHER = 4;

/**
 * out ← w₀ · middle + Σ wᵢ · (left i + right i), i = 1 … radius, in doubles and rounded to floats. Parameters: start
 * and end of the floats of `out`, address of the radius + 1 weights (doubles), and addresses of the floats of each tap:
 * the middle one, then left and right alternating. Four at a time.
 */
export function weightedTaps(name: string, radius: number): SimdFunction {
  return simdFunction(name, 4 + 2 * radius, ([at, end, weights, ...taps], { vector }): Code => {
    const factors = Array.from({ length: radius + 1 }, () => vector());
    const sum = vector();
    const two = (offset: number): Code => [
      ...sum.set(multiply(factors[0].get, loadFloats(taps[0].get, offset))),
      ...factors.slice(1).flatMap((factor, i) => {
        const [left, right] = [taps[1 + 2 * i], taps[2 + 2 * i]];
        const pair = add(loadFloats(left.get, offset), loadFloats(right.get, offset));
        return sum.set(add(sum.get, multiply(factor.get, pair)));
      }),
      ...storeFloats(at.get, sum.get, offset),
    ];
    return [
      ...factors.flatMap((factor, i) => factor.set(loadTwice(weights.get, 8 * i))),
      ...repeatWhile(isLess(at.get, end.get), [
        ...two(0),
        ...two(8),
        ...[at, ...taps].flatMap((place) => place.set(plus(place.get, int(16)))),
      ]),
    ];
  });
}
