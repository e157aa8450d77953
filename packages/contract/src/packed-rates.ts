/** Bits kept of a rate's fraction: the rest is noise, because rates are accurate to a few percent at best. */
export const KEPT_BITS = 9;
const DROPPED_BITS = 23 - KEPT_BITS;
/** The upper 17 bits of 2⁻⁶³ as a float32; smaller values cannot be represented. */
const LOWEST = 64 << KEPT_BITS;
const HALF = (1 << (DROPPED_BITS - 1)) - 1;

/** The upper bits of a float32's word, down to the last that is kept; rounds half to even. */
function upperBits(word: number): number {
  return (word + HALF + ((word >>> DROPPED_BITS) & 1)) >>> DROPPED_BITS;
}

/** Rounds rates in place. O(n). */
export function roundRates(rates: Float32Array): void {
  const words = new Uint32Array(rates.buffer, rates.byteOffset, rates.length);
  for (let at = 0; at < words.length; at++) words[at] = upperBits(words[at]!) << DROPPED_BITS;
}

/**
 * Rounded rates in two bytes each: seven bits of the exponent and the kept bits of the fraction. They sort like their
 * values. Values below 2⁻⁶³ become 0; values must not be negative. O(n).
 */
export function packRates(rates: Float32Array): Uint16Array<ArrayBuffer> {
  const words = new Uint32Array(rates.buffer, rates.byteOffset, rates.length);
  const packed = new Uint16Array(words.length);
  for (let at = 0; at < words.length; at++) {
    packed[at] = Math.max(0, Math.min(65_535, upperBits(words[at]!) - LOWEST));
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
