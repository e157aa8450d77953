/**
 * The records of a zip whose files are stored uncompressed (APPNOTE 6.3.10). All lengths follow from names and sizes,
 * so the position of every byte is known before the first is sent. A file's CRC-32 comes after the file and in the
 * directory.
 */
export interface ZipEntry {
  path: string;
  size: number;
  modified: Date;
}

const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
/** Sizes and CRC-32 follow the file; the name is UTF-8. */
const FLAGS = 0x0808;
const PLAIN = 20;
const LARGE = 45;
/** Made on Unix, so that the directory holds modes. */
const MADE_BY_UNIX = 3 << 8;
const MODE = 0o100644;

function isLarge(size: number): boolean {
  return size >= MAX_32;
}

/** The record before a file. */
export function localHeader({ path, size, modified }: ZipEntry): Buffer {
  const name = Buffer.from(path);
  const large = isLarge(size);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(large ? LARGE : PLAIN, 4);
  head.writeUInt16LE(FLAGS, 6);
  writeTime(head, 10, modified);
  // The sizes follow the file; here, a large file's are marked as such, so that readers know how long those fields are.
  head.writeUInt32LE(large ? MAX_32 : 0, 18);
  head.writeUInt32LE(large ? MAX_32 : 0, 22);
  head.writeUInt16LE(name.length, 26);
  const extra = large ? largeField([0, 0]) : Buffer.alloc(0);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

export function descriptorLength({ size }: ZipEntry): number {
  return isLarge(size) ? 24 : 16;
}

/** The record after a file. */
export function descriptor(entry: ZipEntry, crc: number): Buffer {
  const bytes = Buffer.alloc(descriptorLength(entry));
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  if (isLarge(entry.size)) {
    bytes.writeBigUInt64LE(BigInt(entry.size), 8);
    bytes.writeBigUInt64LE(BigInt(entry.size), 16);
  } else {
    bytes.writeUInt32LE(entry.size, 8);
    bytes.writeUInt32LE(entry.size, 12);
  }
  return bytes;
}

/** The directory at the zip's end. Its length is the same whatever the CRC-32s are. */
export function directory(
  entries: readonly (ZipEntry & { at: number; crc: number })[],
  start: number,
): Buffer {
  const records = Buffer.concat(entries.map(directoryRecord));
  return Buffer.concat([records, directoryEnd(entries.length, records.length, start)]);
}

function directoryRecord({
  path,
  size,
  modified,
  at,
  crc,
}: ZipEntry & { at: number; crc: number }): Buffer {
  const name = Buffer.from(path);
  const large = isLarge(size) || at >= MAX_32;
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_BY_UNIX | LARGE, 4);
  head.writeUInt16LE(large ? LARGE : PLAIN, 6);
  head.writeUInt16LE(FLAGS, 8);
  writeTime(head, 12, modified);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(large ? MAX_32 : size, 20);
  head.writeUInt32LE(large ? MAX_32 : size, 24);
  head.writeUInt16LE(name.length, 28);
  const extra = Buffer.concat([timeField(modified), large ? largeField([size, size, at]) : NONE]);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE((MODE << 16) >>> 0, 38);
  head.writeUInt32LE(large ? MAX_32 : at, 42);
  return Buffer.concat([head, name, extra]);
}

function directoryEnd(count: number, length: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(length, MAX_32), 12);
  end.writeUInt32LE(Math.min(start, MAX_32), 16);
  if (count < MAX_16 && length < MAX_32 && start < MAX_32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY_UNIX | LARGE, 12);
  large.writeUInt16LE(LARGE, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

const NONE = Buffer.alloc(0);

/** Sizes and places that do not fit into 32 bits. */
function largeField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, n) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * n));
  return field;
}

/** The time in seconds, because the DOS time has no time zone. */
function timeField(modified: Date): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(Math.floor(modified.getTime() / 1000), 5);
  return field;
}

function writeTime(bytes: Buffer, offset: number, time: Date): void {
  const seconds =
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const days =
    ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  bytes.writeUInt16LE(seconds, offset);
  bytes.writeUInt16LE(days, offset + 2);
}
