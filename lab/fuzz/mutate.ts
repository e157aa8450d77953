import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { Random } from "@stipple/numerics/random";
import type { Case, Format } from "./formats.ts";

const NUMBERS = [0, 1, 2, 3, 7, 8, 255, 256, 32_767, 65_535, 65_536, 2 ** 24, 2 ** 31 - 1, 2 ** 31];
const WIDE = [2n ** 32n - 1n, 2n ** 32n, 2n ** 40n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 64n - 1n];
const WORDS =
  '-1 0 1e999 NaN 99999999999999999999 0.5 null true \u0000 \uFEFF \r \n\n , \t [ ] { } " \\ {} [] [[[[ ÿ 4294967296 -0'.split(
    " ",
  );

/** A valid file with one to eight changes, fully determined by its case. */
export function mutated(
  seeds: readonly Buffer[],
  { format, index, seed }: Case,
): { bytes: Buffer; from: Buffer } {
  const random = new Random(seed * 1_000_003 + index);
  const from = pick(random, seeds);
  let bytes: Buffer = Buffer.from(from);
  // Of the gzipped files, 70% are changed before compression, the others after it.
  const inside = format.endsWith("-gz") && random.uniform() < 0.7;
  if (inside) bytes = gunzipSync(bytes);
  const changes = random.uniform() < 0.6 ? 1 : 1 + below(random, 8);
  for (let i = 0; i < changes && bytes.length > 0; i++) {
    bytes = changed(bytes, seeds, random, isText(format) || inside, format);
  }
  if (format === "png" && random.uniform() < 0.8) mendPng(bytes);
  return { bytes: inside ? gzipSync(bytes, { level: 1 }) : bytes, from };
}

const TEXTS = ["tsv", "mtx", "csv", "json", "geojson", "st-counts", "st-coordinates"].concat(
  ["geojson", "regions", "alignment", "annotations"].map((kind) => `added-${kind}`),
);

function isText(format: Format): boolean {
  return TEXTS.includes(format);
}

function below(random: Random, n: number): number {
  return Math.floor(random.uniform() * n);
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)];
}

/** Where to mutate: sizes and offsets are at the start and, in some formats, at the end or where the header points. */
function place(bytes: Buffer, random: Random, format: Format): number {
  const n = bytes.length;
  const kind = random.uniform();
  if (format === "tiff" && kind < 0.6) {
    const little = bytes[0] === 0x49;
    const big = bytes.length > 16 && (little ? bytes[2] : bytes[3]) === 43;
    const at = big ? 8 : 4;
    const directory =
      n > at + 4 ? (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at + (big ? 4 : 0))) : 0;
    if (directory < n) return Math.min(n - 1, directory + below(random, big ? 320 : 200));
  }
  if (format === "parquet" && kind < 0.7) return Math.max(0, n - 1 - below(random, 900));
  if (kind < 0.4) return Math.min(n - 1, below(random, 512));
  return below(random, n);
}

function changed(
  bytes: Buffer,
  seeds: readonly Buffer[],
  random: Random,
  text: boolean,
  format: Format,
): Buffer {
  const at = place(bytes, random, format);
  const length =
    1 + below(random, Math.min(bytes.length - at, random.uniform() < 0.8 ? 16 : 5_000));
  const splice = (insert: Buffer, removed: number): Buffer =>
    Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + removed)]);
  if (text && random.uniform() < 0.6) {
    const number = /\d+/g;
    const around = bytes.toString("latin1", at, Math.min(bytes.length, at + 40));
    const found = number.exec(around);
    if (found && random.uniform() < 0.6) {
      const word = Buffer.from(pick(random, WORDS));
      const start = at + found.index;
      return Buffer.concat([
        bytes.subarray(0, start),
        word,
        bytes.subarray(start + found[0].length),
      ]);
    }
    const repeated = random.uniform() < 0.1 ? below(random, 300_000) : 1;
    return splice(
      Buffer.from(pick(random, WORDS).repeat(repeated)),
      random.uniform() < 0.5 ? 0 : 1,
    );
  }
  switch (below(random, 10)) {
    case 0:
      bytes[at] ^= 1 << below(random, 8);
      return bytes;
    case 1:
      bytes[at] = pick(random, [0, 1, 127, 128, 254, 255, below(random, 256)]);
      return bytes;
    case 2:
    case 3: {
      const value = pick(random, NUMBERS);
      const little = random.uniform() < 0.6;
      if (random.uniform() < 0.5 && value <= 65_535 && at + 2 <= bytes.length) {
        if (little) bytes.writeUInt16LE(value, at);
        else bytes.writeUInt16BE(value, at);
      } else if (at + 4 <= bytes.length) {
        if (little) bytes.writeUInt32LE(value, at);
        else bytes.writeUInt32BE(value, at);
      }
      return bytes;
    }
    case 4: {
      if (at + 8 > bytes.length) return bytes;
      const value = pick(random, WIDE);
      if (random.uniform() < 0.6) bytes.writeBigUInt64LE(value, at);
      else bytes.writeBigUInt64BE(value, at);
      return bytes;
    }
    case 5:
      return splice(Buffer.alloc(0), length);
    case 6:
      return splice(bytes.subarray(at, at + length), 0);
    case 7: {
      const other = pick(random, seeds);
      const from = below(random, other.length);
      const piece = other.subarray(from, from + length);
      return splice(piece, random.uniform() < 0.5 ? piece.length : 0);
    }
    case 8:
      bytes.fill(pick(random, [0, 255]), at, at + length);
      return bytes;
    default:
      return random.uniform() < 0.4
        ? bytes.subarray(0, at)
        : splice(Buffer.from([below(random, 256)]), 0);
  }
}

/** Recomputes the chunk checksums of a PNG, so that readers do not reject it early. */
function mendPng(bytes: Buffer): void {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
    at = end + 4;
  }
}
