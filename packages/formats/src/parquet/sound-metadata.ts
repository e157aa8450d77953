import { crc32 } from "node:zlib";
import {
  parquetMetadataAsync,
  type AsyncBuffer,
  type CompressionCodec,
  type FileMetaData,
  type PageHeader,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import {
  getMaxDefinitionLevel,
  getMaxRepetitionLevel,
  getSchemaPath,
} from "hyparquet/src/schema.js";
import { maxUnpackedTable } from "../limits.ts";
import { CODECS } from "./codecs.ts";
import { requireSoundRuns } from "./runs.ts";

const LARGEST_FOOTER = 64 * 2 ** 20;
/** A page header contains its sizes and the minimum and maximum value. */
const HEADER_BYTES = 64 * 1024;
const MAX_PAGES = 100_000;
const DEEPEST = 64;

/**
 * Reads a Parquet file's metadata and the page headers of `columns`, and throws an Error if they cannot be
 * true: more rows than the bytes can represent, pages outside the file or their part of it, sizes far beyond
 * the file's, runs of more values than their page has, or pages with another checksum than they declare. O(file).
 */
export async function readSoundMetadata(
  file: AsyncBuffer,
  columns: readonly string[],
): Promise<FileMetaData> {
  await requireSoundFooter(file);
  const metadata = await parquetMetadataAsync(file);
  const size = file.byteLength;
  const groups = metadata.row_groups;
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  const possible = groups.every(({ num_rows }) => num_rows >= 0n) && rows <= 4 * size;
  if (!possible || rows !== Number(metadata.num_rows)) {
    throw new RangeError(`${metadata.num_rows} rows in ${size} bytes`);
  }
  let [pages, unpacked] = [0, 0];
  for (const group of groups) {
    // Nothing was written of an empty group, nor where it would be.
    if (group.num_rows === 0n) continue;
    for (const { meta_data: part, file_path: elsewhere } of group.columns) {
      if (!part || !columns.includes(part.path_in_schema[0] ?? "")) continue;
      if (elsewhere) throw new RangeError("columns in other files");
      const path = getSchemaPath(metadata.schema, part.path_in_schema);
      if (getMaxRepetitionLevel(path) > 0) throw new RangeError("lists in a column");
      const levelBits = 32 - Math.clz32(getMaxDefinitionLevel(path));
      const data = Number(part.data_page_offset);
      const start = Math.min(data, Number(part.dictionary_page_offset ?? data) || data);
      const end = start + Number(part.total_compressed_size);
      if (!(start >= 4 && end > start && end <= size)) throw new RangeError("a column's place");
      for (let at = start; at < end - 1;) {
        const page = await readPageHeader(file, at, end);
        at = page.end;
        unpacked += page.unpackedBytes;
        pages++;
        const values = page.values <= (page.dictionary ? page.unpackedBytes * 8 : group.num_rows);
        if (!values || at > end || pages > MAX_PAGES || unpacked > maxUnpackedTable(size)) {
          throw new RangeError(`page ${pages} of ${page.values} values, ${unpacked} bytes so far`);
        }
        const bytes = new Uint8Array(await file.slice(page.start, page.end));
        const { crc } = page.header;
        if (crc !== undefined && crc32(bytes) !== crc >>> 0) {
          throw new RangeError(`page ${pages} has another checksum`);
        }
        if (!page.dictionary) requireSoundPage(bytes, page, part.codec, levelBits);
      }
    }
  }
  return metadata;
}

interface PageOutline {
  header: PageHeader;
  /** Start and end of its content. */
  start: number;
  end: number;
  unpackedBytes: number;
  values: number;
  dictionary: boolean;
}

async function readPageHeader(file: AsyncBuffer, at: number, end: number): Promise<PageOutline> {
  const view = new DataView(await file.slice(at, Math.min(end, at + HEADER_BYTES)));
  const headerBytes = endOfStruct(view, 0, 0);
  const header = parquetHeader({ view, offset: 0 });
  const packed = Number(header.compressed_page_size);
  const unpackedBytes = Number(header.uncompressed_page_size);
  const values = Number(
    (header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header)
      ?.num_values ?? 0,
  );
  if (!(packed >= 0 && unpackedBytes >= 0 && values >= 0)) throw new RangeError("a page's size");
  const dictionary = header.type === "DICTIONARY_PAGE";
  const start = at + headerBytes;
  return { header, start, end: start + packed, unpackedBytes, values, dictionary };
}

/** Checks the runs of a page's levels and of its dictionary indices. */
function requireSoundPage(
  packed: Uint8Array,
  { header, unpackedBytes, values }: PageOutline,
  codec: CompressionCodec,
  levelBits: number,
): void {
  const { data_page_header: first, data_page_header_v2: second } = header;
  let page: Uint8Array;
  let at = 0;
  if (second) {
    const levels = second.repetition_levels_byte_length;
    const begin = levels + second.definition_levels_byte_length;
    if (!(levels >= 0 && begin >= levels)) throw new RangeError("a page's levels");
    if (levelBits > 0) {
      requireSoundRuns(packed, { at: levels, end: begin, bits: levelBits, values });
    }
    const rest = packed.subarray(begin);
    const isPacked = second.is_compressed !== false;
    page = isPacked ? decompressPage(rest, unpackedBytes - begin, codec, CODECS) : rest;
  } else {
    page = decompressPage(packed, unpackedBytes, codec, CODECS);
    if (levelBits > 0) {
      const length = new DataView(page.buffer, page.byteOffset, page.length).getUint32(0, true);
      requireSoundRuns(page, { at: 4, end: 4 + length, bits: levelBits, values });
      at = 4 + length;
    }
  }
  const encoding = (second ?? first)?.encoding;
  if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") {
    requireSoundRuns(page, { at: at + 1, end: page.length, bits: page[at] ?? 0, values });
  } else if (encoding === "RLE") {
    requireSoundRuns(page, { at: at + 4, end: page.length, bits: 1, values });
  }
}

async function requireSoundFooter(file: AsyncBuffer): Promise<void> {
  const size = file.byteLength;
  if (size < 12) throw new RangeError("too short");
  const length = new DataView(await file.slice(size - 8, size)).getUint32(0, true);
  if (length > Math.min(size - 12, LARGEST_FOOTER)) throw new RangeError(`a footer of ${length}`);
  endOfStruct(new DataView(await file.slice(size - 8 - length, size - 8)), 0, 0);
}

/**
 * End of a Thrift (compact protocol) struct that starts at `at`. Throws RangeError for one that exceeds the
 * reader's limits.
 */
function endOfStruct(view: DataView, at: number, depth: number): number {
  if (depth > DEEPEST) throw new RangeError("structs too deep");
  for (;;) {
    const head = view.getUint8(at++);
    const type = head & 15;
    if (type === 0) return at;
    if (head >> 4 === 0) at = numberAt(view, at).end;
    // Booleans are stored in the field header itself.
    if (type > 2) at = endOfValue(view, at, type, depth);
  }
}

function endOfValue(view: DataView, at: number, type: number, depth: number): number {
  switch (type) {
    case 1:
    case 2:
    case 3:
      return at + 1;
    case 4:
    case 5:
    case 6:
      return numberAt(view, at).end;
    case 7:
      return at + 8;
    case 8: {
      const length = numberAt(view, at);
      return length.end + length.value;
    }
    case 9: {
      const head = view.getUint8(at++);
      let count = head >> 4;
      if (count === 15) ({ value: count, end: at } = numberAt(view, at));
      if (count > view.byteLength - at) throw new RangeError(`a list of ${count}`);
      for (let i = 0; i < count; i++) at = endOfValue(view, at, head & 15, depth + 1);
      return at;
    }
    case 12:
      return endOfStruct(view, at, depth + 1);
    default:
      throw new RangeError(`type ${type}`);
  }
}

/** An unsigned number with 7 bits per byte: ten bytes hold 64 bits. */
function numberAt(view: DataView, at: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = view.getUint8(at + i);
    value += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  throw new RangeError("a number without end");
}
