/** Layout of the numbers of a TIFF in its bytes. */
export interface SampleLayout {
  /**
   * Bits per number: 1–32 or 64 for unsigned, 8–32 in whole bytes or 64 for signed, 16, 32, or 64 for floating
   * point.
   */
  bits: number;
  format: "unsigned" | "signed" | "float";
  littleEndian: boolean;
  /** 1 = none, 2 = differences along a row, 3 = byte differences of floating-point numbers. */
  predictor: number;
}

/**
 * Numbers of a block of `rows` rows of `width` pixels with `samples` interleaved samples each. Every row starts
 * at a whole byte; odd depths are packed starting at the highest bit (TIFF 6.0). 64-bit integers are rounded to
 * 53 bits, and everything to Float32 precision. Throws RangeError if the bytes end early. O(samples).
 */
export function unpackSamples(
  bytes: Uint8Array,
  width: number,
  rows: number,
  samples: number,
  layout: SampleLayout,
): Float32Array {
  const perRow = width * samples;
  const rowBytes = Math.ceil((perRow * layout.bits) / 8);
  if (bytes.length < rowBytes * rows) {
    throw new RangeError(`a block ends after ${bytes.length} bytes`);
  }
  const out = new Float32Array(perRow * rows);
  if (unpackPlain(bytes, out, layout)) return out;
  const raw = new Float64Array(perRow);
  for (let y = 0; y < rows; y++) {
    let row = bytes.subarray(y * rowBytes, (y + 1) * rowBytes);
    let littleEndian = layout.littleEndian;
    if (layout.predictor === 3) {
      row = undoFloatPredictor(row, perRow, samples, layout.bits / 8);
      littleEndian = false;
    }
    readWords(row, raw, layout, littleEndian);
    if (layout.predictor === 2) {
      const limit = 2 ** layout.bits;
      for (let i = samples; i < perRow; i++) raw[i] = (raw[i] + raw[i - samples]) % limit;
    }
    interpret(raw, layout, out, y * perRow);
  }
  return out;
}

/** The usual case, without a predictor: whole bytes in this machine's byte order. */
function unpackPlain(bytes: Uint8Array, out: Float32Array, layout: SampleLayout): boolean {
  if (layout.format !== "unsigned" || layout.predictor !== 1) return false;
  if (layout.bits === 8) {
    out.set(bytes.subarray(0, out.length));
    return true;
  }
  if (layout.bits !== 16 || !layout.littleEndian) return false;
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  out.set(new Uint16Array(aligned.buffer, aligned.byteOffset, out.length));
  return true;
}

/**
 * Reads the row's numbers as unsigned; 64-bit numbers in their own format, because they need no further
 * processing.
 */
function readWords(
  row: Uint8Array,
  raw: Float64Array,
  { bits, format }: SampleLayout,
  littleEndian: boolean,
): void {
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const n = raw.length;
  if (bits === 8) {
    for (let i = 0; i < n; i++) raw[i] = row[i];
  } else if (bits === 16) {
    for (let i = 0; i < n; i++) raw[i] = view.getUint16(2 * i, littleEndian);
  } else if (bits === 24) {
    for (let i = 0; i < n; i++) {
      const [a, b, c] = [row[3 * i], row[3 * i + 1], row[3 * i + 2]];
      raw[i] = littleEndian ? a + 256 * b + 65_536 * c : c + 256 * b + 65_536 * a;
    }
  } else if (bits === 32) {
    for (let i = 0; i < n; i++) raw[i] = view.getUint32(4 * i, littleEndian);
  } else if (bits === 64) {
    for (let i = 0; i < n; i++) {
      raw[i] =
        format === "float"
          ? view.getFloat64(8 * i, littleEndian)
          : Number(
              format === "signed"
                ? view.getBigInt64(8 * i, littleEndian)
                : view.getBigUint64(8 * i, littleEndian),
            );
    }
  } else {
    for (let i = 0, at = 0; i < n; i++) {
      let value = 0;
      for (let left = bits; left > 0;) {
        const free = 8 - (at & 7);
        const take = Math.min(free, left);
        value = value * 2 ** take + ((row[at >> 3] >> (free - take)) & ((1 << take) - 1));
        at += take;
        left -= take;
      }
      raw[i] = value;
    }
  }
}

function interpret(raw: Float64Array, layout: SampleLayout, out: Float32Array, at: number): void {
  const { bits, format } = layout;
  if (format === "unsigned" || bits === 64) {
    out.set(raw, at);
  } else if (format === "signed") {
    const half = 2 ** (bits - 1);
    for (let i = 0; i < raw.length; i++) out[at + i] = raw[i] >= half ? raw[i] - 2 * half : raw[i];
  } else if (bits === 32) {
    const words = Uint32Array.from(raw);
    out.set(new Float32Array(words.buffer), at);
  } else {
    for (let i = 0; i < raw.length; i++) out[at + i] = halfFloat(raw[i]);
  }
}

/** IEEE 754 binary16. */
function halfFloat(word: number): number {
  const sign = word >= 0x8000 ? -1 : 1;
  const exponent = (word >> 10) & 31;
  const fraction = word & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/**
 * TIFF Technical Note 3: bytes of equal significance are stored together, highest first, each as the difference
 * from the previous one.
 */
function undoFloatPredictor(
  row: Uint8Array,
  count: number,
  samples: number,
  bytesEach: number,
): Uint8Array {
  const planes = row.slice();
  for (let i = samples; i < planes.length; i++) planes[i] = (planes[i] + planes[i - samples]) & 255;
  const out = new Uint8Array(row.length);
  for (let i = 0; i < count; i++) {
    for (let b = 0; b < bytesEach; b++) out[bytesEach * i + b] = planes[b * count + i];
  }
  return out;
}
