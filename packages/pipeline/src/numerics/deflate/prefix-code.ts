/** Most bits of a code: a code and its extra bits then fit beside what waits to be written. */
export const MOST_BITS = 12;

/** Codes of symbols, each with its bits in the order in which deflate writes them. */
export interface PrefixCode {
  lengths: Uint8Array;
  codes: Uint16Array;
}

/**
 * Huffman's code for symbols that come so often; none for a count of 0. Rare symbols are taken to be less rare until no
 * code is longer than {@link MOST_BITS}. O(n²) of some dozens of symbols.
 */
export function prefixCode(counts: Uint32Array): PrefixCode {
  const total = counts.reduce((sum, count) => sum + count, 0);
  for (let least = 1; ; least = Math.max(2 * least, Math.ceil(total / 2 ** MOST_BITS))) {
    const lengths = depths(counts.map((count) => (count > 0 ? Math.max(count, least) : 0)));
    if (lengths.every((length) => length <= MOST_BITS)) return { lengths, codes: codesOf(lengths) };
  }
}

/** Depth of every symbol in Huffman's tree. */
function depths(counts: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  let trees = Array.from(counts, (count, symbol) => ({ count, symbols: [symbol] })).filter(
    ({ count }) => count > 0,
  );
  if (trees.length === 1) lengths[trees[0].symbols[0]] = 1;
  while (trees.length > 1) {
    trees.sort((a, b) => a.count - b.count);
    const [a, b, ...rest] = trees;
    const symbols = [...a.symbols, ...b.symbols];
    for (const symbol of symbols) lengths[symbol]++;
    trees = [...rest, { count: a.count + b.count, symbols }];
  }
  return lengths;
}

/** The codes that the lengths stand for (RFC 1951, 3.2.2), first bit lowest. */
function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let bits = 1; bits <= MOST_BITS; bits++) {
    code <<= 1;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === bits) codes[symbol] = reversed(code++, bits);
    }
  }
  return codes;
}

function reversed(code: number, bits: number): number {
  let out = 0;
  for (let i = 0; i < bits; i++) out |= ((code >>> i) & 1) << (bits - 1 - i);
  return out;
}
