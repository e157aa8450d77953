const CLEAR = 256;
const END = 257;

/**
 * Unpacks LZW as in TIFF 6.0 (codes start at the highest bit, code width increases one code early) up to `size`
 * bytes. Missing data at the end are left out.
 */
export function unpackLzw(packed: Uint8Array, { size }: { size: number }): Uint8Array {
  const out = new Uint8Array(size);
  // The text of code c is the `lengths[c]` bytes of `out` starting at `starts[c]`, because every entry repeats
  // earlier output.
  const starts = new Uint32Array(4096);
  const lengths = new Uint16Array(4096);
  let [next, width, at, bits, held] = [258, 9, 0, 0, 0];
  let [length, before] = [0, -1];
  while (length < size) {
    while (bits < width && at < packed.length) {
      held = ((held << 8) | packed[at++]) & 0xffffff;
      bits += 8;
    }
    if (bits < width) break;
    const code = (held >> (bits - width)) & ((1 << width) - 1);
    bits -= width;
    if (code === END) break;
    if (code === CLEAR) {
      [next, width, before] = [258, 9, -1];
      continue;
    }
    const start = length;
    if (before < 0 || code < 256) {
      if (code >= 256) throw new RangeError(`LZW code ${code} has no predecessor`);
      out[length++] = code;
    } else {
      if (code > next) throw new RangeError(`LZW code ${code} exceeds ${next}`);
      // The newest entry is the previous text followed by its first byte.
      const own = code < next;
      const from = own ? starts[code] : before;
      const n = own ? lengths[code] : start - before + 1;
      for (let i = 0; i < n && length < size; i++) out[length++] = out[from + i];
    }
    if (before >= 0 && next < 4096) {
      starts[next] = before;
      lengths[next] = start - before + 1;
      next++;
      if (next + 1 >= 1 << width && width < 12) width++;
    }
    before = start;
  }
  return out.subarray(0, length);
}
