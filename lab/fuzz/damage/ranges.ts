import { inflateRawSync } from "node:zlib";
import { storedChunks } from "@stipple/formats/hdf5/testing/forge-hdf5";

/** Bytes `from` ≤ i < `to` of a file. */
export interface Range {
  from: number;
  to: number;
}

/** The complete zlib streams in a file, such as the chunks of HDF5 and the tiles of TIFF, with their checksums. */
export function zlibStreams(file: Buffer): Range[] {
  const begins = (at: number): boolean =>
    (file[at] & 15) === 8 && file[at] < 0x80 && file.readUInt16BE(at) % 31 === 0;
  return streams(file, { begins, headerBytes: 2, checksumBytes: 4 }).map(({ from, to }) => ({
    from: from - 2,
    to,
  }));
}

/** The gzip members in a file, such as the pages of Parquet, behind their headers, with their checksums. */
export function gzipMembers(file: Buffer): Range[] {
  const begins = (at: number): boolean => file.readUInt32BE(at) === 0x1f8b0800;
  return streams(file, { begins, headerBytes: 10, checksumBytes: 8 });
}

/** Deflated data behind headers, each with its checksum. */
function streams(
  file: Buffer,
  of: { begins: (at: number) => boolean; headerBytes: number; checksumBytes: number },
): Range[] {
  const found: Range[] = [];
  for (let at = 0; at + 10 < file.length; at++) {
    if (!of.begins(at)) continue;
    try {
      const from = at + of.headerBytes;
      const { buffer, engine } = inflateRawSync(file.subarray(from), {
        info: true,
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
      if (buffer.length === 0) continue;
      const to = from + engine.bytesWritten + of.checksumBytes;
      found.push({ from, to });
      at = to - 1;
    } catch {
      // It only looked like one.
    }
  }
  return found;
}

/** The chunks of an HDF5 file in its earliest format. */
export function hdf5Chunks(file: Buffer): Range[] {
  return storedChunks(file).map(({ at, bytes }) => ({ from: at, to: at + bytes }));
}

/** Where known values are in a file that stores them as they are. */
export function valuesIn(file: Buffer, ...values: ArrayBufferView[]): Range[] {
  return values.map(({ buffer, byteOffset, byteLength }) => {
    const from = file.indexOf(Buffer.from(buffer, byteOffset, byteLength));
    if (from < 0) throw new Error("The values are not in the file");
    return { from, to: from + byteLength };
  });
}

/** The strips or tiles of a classic little-endian TIFF of one page. */
export function tiffBlocks(file: Buffer): Range[] {
  const at = file.readUInt32LE(4);
  const list = (tag: number): number[] => {
    for (let i = 0; i < file.readUInt16LE(at); i++) {
      const entry = at + 2 + 12 * i;
      if (file.readUInt16LE(entry) !== tag) continue;
      const size = file.readUInt16LE(entry + 2) === 3 ? 2 : 4;
      const n = file.readUInt32LE(entry + 4);
      const start = n * size <= 4 ? entry + 8 : file.readUInt32LE(entry + 8);
      return Array.from({ length: n }, (_, k) => file.readUIntLE(start + k * size, size));
    }
    return [];
  };
  const [starts, sizes] = [
    [...list(273), ...list(324)],
    [...list(279), ...list(325)],
  ];
  return starts.map((from, i) => ({ from, to: from + sizes[i] }));
}

/** Everything from a position on, but for `left` bytes at the end. */
export function allFrom(from: number, left = 0): (file: Buffer) => Range[] {
  return (file) => [{ from, to: file.length - left }];
}

/** What is between the first bytes of a Parquet file and its footer. */
export function parquetPages(file: Buffer): Range[] {
  return [{ from: 4, to: file.length - 8 - file.readUInt32LE(file.length - 8) }];
}

/** The compressed pixels of a JPEG, behind its last header. */
export function jpegScan(file: Buffer): Range[] {
  const scan = file.indexOf(Buffer.from([0xff, 0xda]));
  return [{ from: scan + 2 + file.readUInt16BE(scan + 2), to: file.length - 2 }];
}
