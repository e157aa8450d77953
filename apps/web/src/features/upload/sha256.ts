/** The first 32 bits of the fractional parts of the roots (2 square, 3 cube) of the first `count` primes. */
function rootBits(count: number, root: 2 | 3): Int32Array {
  const bits = new Int32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let prime = true;
    for (let factor = 2; factor * factor <= candidate; factor++)
      if (candidate % factor === 0) prime = false;
    if (prime) bits[found++] = (candidate ** (1 / root) % 1) * 2 ** 32;
  }
  return bits;
}

const START = rootBits(8, 2);
const ROUND = rootBits(64, 3);

/**
 * SHA-256 (FIPS 180-4) of `bytes` in hex, for pages that come without TLS: browsers keep their own from those. About
 * 0.1 s for 10 MB.
 */
export function sha256Hex(bytes: Uint8Array): string {
  // The last one or two blocks hold the rest, a one bit, and the length in bits.
  const whole = bytes.length - (bytes.length % 64);
  const rest = bytes.subarray(whole);
  const tail = new Uint8Array(rest.length < 56 ? 64 : 128);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const end = new DataView(tail.buffer);
  end.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(tail.length - 4, bytes.length << 3);

  const state = START.slice();
  const words = new Int32Array(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, whole);
  for (let at = 0; at < whole; at += 64) mix(state, words, view, at);
  for (let at = 0; at < tail.length; at += 64) mix(state, words, end, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Mixes one block of 64 bytes into the state. */
function mix(state: Int32Array, w: Int32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
  let [e, f, g, h] = [state[4]!, state[5]!, state[6]!, state[7]!];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i]! += value;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
