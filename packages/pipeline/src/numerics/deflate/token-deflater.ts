import { prefixCode, type PrefixCode } from "./prefix-code.ts";

/** Most bytes that a repetition may have, and lie behind. */
export const MOST_REPEATED = 128;
/** Tokens: a byte stands for itself; a repetition is its length behind this, then its distance behind that. */
export const LENGTH = 256;
export const DISTANCE = LENGTH + MOST_REPEATED + 1;
const TOKENS = DISTANCE + MOST_REPEATED + 1;
/** No repetition has no bytes. */
const END_OF_BLOCK = LENGTH;

const LITERALS = 286;
const DISTANCES = 30;
/** First length of each length symbol, 257 … 285, and first distance of each distance symbol; their extra bits. */
const [LENGTHS, LENGTH_EXTRA] = steps(3, 29, 8, 4);
const [STARTS, START_EXTRA] = steps(1, DISTANCES, 4, 2);

/**
 * Turns tokens into deflate's bits (RFC 1951), for writers that know what repeats: a general compressor takes most of its
 * time to search for it. Each block's codes are those that would have suited the block before, so that tokens are gone
 * through once.
 */
export class TokenDeflater {
  readonly #bytes: readonly number[];
  /** Of every token, how often it came in the block before. */
  #counts = new Uint32Array(TOKENS);
  /** Bits that do not fill two bytes yet. */
  #held = 0;
  #nHeld = 0;
  #room = new Uint16Array(0);

  /** `characters`: all that may come by themselves. */
  constructor(characters: string) {
    this.#bytes = [...new Set(Buffer.from(characters, "latin1"))];
  }

  /** The first `count` tokens as a block, not the last one. The bytes must be used before the next call. */
  block(tokens: Uint16Array, count: number): Uint8Array {
    const { literal, distance } = this.#codes();
    const codeOf = codesOfTokens(literal, distance);
    const counts = new Uint32Array(TOKENS);
    // No token takes more than 16 bits; the head has its own.
    if (this.#room.length < count + 512) this.#room = new Uint16Array(count + 512);
    const out = this.#room;
    let at = 0;
    let held = this.#held;
    let nHeld = this.#nHeld;
    for (const code of headOf(literal, distance)) {
      held |= (code & 0xffffff) << nHeld;
      nHeld += code >>> 24;
      if (nHeld < 16) continue;
      out[at++] = held;
      held >>>= 16;
      nHeld -= 16;
    }
    for (let i = 0; i < count; i++) {
      const token = tokens[i];
      const code = codeOf[token];
      counts[token]++;
      held |= (code & 0xffffff) << nHeld;
      nHeld += code >>> 24;
      if (nHeld < 16) continue;
      out[at++] = held;
      held >>>= 16;
      nHeld -= 16;
    }
    held |= (codeOf[END_OF_BLOCK] & 0xffffff) << nHeld;
    nHeld += codeOf[END_OF_BLOCK] >>> 24;
    if (nHeld >= 16) {
      out[at++] = held;
      held >>>= 16;
      nHeld -= 16;
    }
    this.#held = held;
    this.#nHeld = nHeld;
    this.#counts = counts;
    return new Uint8Array(out.buffer, 0, 2 * at);
  }

  /** The end: an empty last block of fixed codes, and the bits that do not fill a byte. */
  finish(): Uint8Array {
    const held = this.#held | (0b011 << this.#nHeld);
    return Uint8Array.from(
      { length: Math.ceil((this.#nHeld + 10) / 8) },
      (_, i) => held >>> (8 * i),
    );
  }

  /** Codes in which every token can be written, and those that came most are short. */
  #codes(): { literal: PrefixCode; distance: PrefixCode } {
    const literals = new Uint32Array(LITERALS);
    const distances = new Uint32Array(DISTANCES);
    literals[256] = 1;
    for (const byte of this.#bytes) literals[byte] = 1 + this.#counts[byte];
    for (let length = LENGTHS[0]; length <= MOST_REPEATED; length++) {
      literals[257 + symbolOf(LENGTHS, length)] += 1 + this.#counts[LENGTH + length];
    }
    for (let distance = 1; distance <= MOST_REPEATED; distance++) {
      distances[symbolOf(STARTS, distance)] += 1 + this.#counts[DISTANCE + distance];
    }
    return { literal: prefixCode(literals), distance: prefixCode(distances) };
  }
}

/** Of every token its bits, and behind 24 of them how many they are. */
function codesOfTokens(literal: PrefixCode, distance: PrefixCode): Uint32Array {
  const codes = new Uint32Array(TOKENS);
  const put = (token: number, { codes: all, lengths }: PrefixCode, symbol: number): void => {
    codes[token] = all[symbol] | (lengths[symbol] << 24);
  };
  const putRange = (
    token: number,
    code: PrefixCode,
    [symbol, extra, bits]: [symbol: number, extra: number, bits: number],
  ): void => {
    const length = code.lengths[symbol];
    codes[token] = code.codes[symbol] | (extra << length) | ((length + bits) << 24);
  };
  for (let byte = 0; byte < 256; byte++) put(byte, literal, byte);
  put(END_OF_BLOCK, literal, 256);
  for (let length = LENGTHS[0]; length <= MOST_REPEATED; length++) {
    const i = symbolOf(LENGTHS, length);
    putRange(LENGTH + length, literal, [257 + i, length - LENGTHS[i], LENGTH_EXTRA[i]]);
  }
  for (let value = 1; value <= MOST_REPEATED; value++) {
    const i = symbolOf(STARTS, value);
    putRange(DISTANCE + value, distance, [i, value - STARTS[i], START_EXTRA[i]]);
  }
  return codes;
}

/** What stands before a block's tokens: not the last block, codes of its own, and these, each length in four bits. */
function headOf(literal: PrefixCode, distance: PrefixCode): number[] {
  const bits = (value: number, count: number): number => value | (count << 24);
  return [
    bits(0b100, 3),
    bits(LITERALS - 257, 5),
    bits(DISTANCES - 1, 5),
    // Codes for the lengths: four bits for 0 … 15, none for the three repetitions, which stand first.
    bits(19 - 4, 4),
    ...Array.from({ length: 19 }, (_, i) => bits(i < 3 ? 0 : 4, 3)),
    ...[...literal.lengths, ...distance.lengths].map((length) =>
      bits(((length & 1) << 3) | ((length & 2) << 1) | ((length & 4) >> 1) | (length >> 3), 4),
    ),
  ];
}

/** The values that symbols begin at: single ones at first, then ranges of 2, 4, 8 …, so many of each size. */
function steps(
  least: number,
  count: number,
  single: number,
  ofEach: number,
): [starts: number[], extra: number[]] {
  const starts: number[] = [];
  const extra: number[] = [];
  for (let i = 0, value = least; i < count; i++) {
    const bits = i < single ? 0 : Math.floor((i - single) / ofEach) + 1;
    starts.push(value);
    extra.push(bits);
    value += 2 ** bits;
  }
  return [starts, extra];
}

function symbolOf(starts: readonly number[], value: number): number {
  return starts.findLastIndex((start) => start <= value);
}
