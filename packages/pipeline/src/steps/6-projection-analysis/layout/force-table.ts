/**
 * The table covers squared distances from 2^LOW to 2^HIGH, with 2^STEPS pieces per doubling. No cell moves as
 * far as 2^(HIGH / 2), so every number above the lower limit falls into a piece.
 */
const [LOW, HIGH, STEPS] = [-20, 60, 6];
/** Mantissa bits in the upper half of a double; the exponent is above them. */
const MANTISSA_BITS = 20;
const EXPONENT_BIAS = 1023;

/** Upper half of the smallest squared distance in the table. */
export const FIRST_BITS = (EXPONENT_BIAS + LOW) << MANTISSA_BITS;
/**
 * After subtracting FIRST_BITS from an upper half, the bits above these select the table piece; these give the
 * position within it.
 */
export const PLACE_BITS = MANTISSA_BITS - STEPS;

/**
 * Piecewise linear table of a smooth function of a squared distance, with two numbers per piece: the value at
 * its start and its slope per unit of the upper half's low bits. The bits of a double select the piece, so no
 * logarithm or power is needed. The error is below 0.0002.
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
