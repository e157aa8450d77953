/**
 * Squared distances from 2^LOW to 2^HIGH, in 2^STEPS pieces for each doubling. No cell moves as far as 2^(HIGH / 2): every
 * number that is larger than the first finds its piece.
 */
const [LOW, HIGH, STEPS] = [-20, 60, 6];
/** In the upper half of a double: its exponent is above these. */
const MANTISSA_BITS = 20;
const EXPONENT_BIAS = 1023;

/** Upper half of the first squared distance. */
export const FIRST_BITS = (EXPONENT_BIAS + LOW) << MANTISSA_BITS;
/** In an upper half less the first one, the bits above these name a piece of the table, these the place in it. */
export const PLACE_BITS = MANTISSA_BITS - STEPS;

/**
 * A smooth function of a squared distance as straight pieces, two numbers each: the value at the begin of a piece and its
 * slope in the upper half's last bits. A piece is found by the bits of a double, with no logarithm or power; it is off by
 * less than two ten-thousandths.
 */
export function forceTable(force: (squared: number) => number): Float32Array {
  const nPieces = (HIGH - LOW) << STEPS;
  const perDoubling = 1 << STEPS;
  const at = (piece: number): number =>
    2 ** (LOW + Math.floor(piece / perDoubling)) * (1 + (piece % perDoubling) / perDoubling);
  const table = new Float32Array(2 * nPieces);
  for (let piece = 0; piece < nPieces; piece++) {
    table[2 * piece] = force(at(piece));
    table[2 * piece + 1] = (force(at(piece + 1)) - force(at(piece))) / 2 ** PLACE_BITS;
  }
  return table;
}
