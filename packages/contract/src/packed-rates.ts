/**
 * Rates in two bytes each: seven bits of the exponent and nine of the fraction of a float32, which is what the h5ad keeps of
 * them (an error of 0.1 % at most). They stand in the order of their values. Below 2⁻⁶³ all is 0; only for what is not
 * negative.
 */
const DROPPED_BITS = 14;
/** The float32's 17 upper bits of 2⁻⁶³: those below have no place. */
const LOWEST = 64 << 9;
const HALF = (1 << (DROPPED_BITS - 1)) - 1;

/** Rounds half to even. O(n). */
export function packRates(rates: Float32Array): Uint16Array<ArrayBuffer> {
  const words = new Uint32Array(rates.buffer, rates.byteOffset, rates.length);
  const packed = new Uint16Array(words.length);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const upper = (word + HALF + ((word >>> DROPPED_BITS) & 1)) >>> DROPPED_BITS;
    packed[at] = Math.max(0, Math.min(65_535, upper - LOWEST));
  }
  return packed;
}

export function unpackRates(packed: Uint16Array): Float32Array<ArrayBuffer> {
  const rates = new Float32Array(packed.length);
  const words = new Uint32Array(rates.buffer);
  for (let at = 0; at < words.length; at++) {
    const upper = packed[at]!;
    words[at] = upper === 0 ? 0 : (upper + LOWEST) << DROPPED_BITS;
  }
  return rates;
}
