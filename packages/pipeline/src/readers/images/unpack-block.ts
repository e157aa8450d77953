import { promisify } from "node:util";
import { inflate, zstdDecompress } from "node:zlib";
import sharp from "sharp";

const inflated = promisify(inflate);
const unzstd = promisify(zstdDecompress);

/** Compressions that can be unpacked here: none, LZW, Deflate, PackBits, Zstandard, WebP. */
export const UNPACKED_HERE: ReadonlySet<number> = new Set([1, 5, 8, 32946, 32773, 50000, 50001]);

/** Some writers add a few bytes after a block's pixels. */
const SLACK_BYTES = 65_536;

/**
 * Unpacks a block whose pixels take `size` bytes, never to more than that plus a little. Throws an Error for a
 * block that unpacks to much more. O(size).
 */
export async function unpackBlock(
  packed: Buffer,
  compression: number,
  { size, pixels }: { size: number; pixels: number },
): Promise<Uint8Array> {
  const maxOutputLength = size + SLACK_BYTES;
  switch (compression) {
    case 1:
      return packed;
    case 5:
      return unpackLzw(packed, size);
    case 8:
    case 32946:
      return inflated(packed, { maxOutputLength });
    case 32773:
      return unpackPackBits(packed, size);
    case 50000:
      return unzstd(packed, { maxOutputLength });
    case 50001:
      return sharp(packed, { limitInputPixels: pixels }).raw().toBuffer();
    default:
      throw new RangeError(`compression ${compression} is not supported here`);
  }
}

const CLEAR = 256;
const END = 257;

/**
 * Unpacks LZW as in TIFF 6.0 (codes start at the highest bit, code width increases one code early) up to `size`
 * bytes. Missing data at the end are left out.
 */
export function unpackLzw(packed: Uint8Array, size: number): Uint8Array {
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

/** Unpacks PackBits (TIFF 6.0) up to `size` bytes. Missing data at the end are left out. */
export function unpackPackBits(packed: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let length = 0;
  for (let at = 0; at + 1 < packed.length && length < size;) {
    const head = packed[at++];
    if (head === 128) continue;
    if (head > 128) {
      const end = Math.min(size, length + 257 - head);
      out.fill(packed[at++], length, end);
      length = end;
    } else {
      const n = Math.min(head + 1, packed.length - at, size - length);
      out.set(packed.subarray(at, at + n), length);
      at += head + 1;
      length += n;
    }
  }
  return out.subarray(0, length);
}
