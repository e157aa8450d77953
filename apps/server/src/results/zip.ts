import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { Outputs, StoredFile } from "../outputs/read.ts";
import { descriptor, descriptorLength, directory, localHeader } from "./zip-records.ts";

/** What a download holds: the exports and figures, and the pictures and tables of the steps; not the intermediate arrays. */
const WHOLE_FOLDERS = ["analysis_results", "figures"];
const STEP_FILES = /\.(png|svg|csv|geojson)$/;

/** What is in the download of a project's results. */
export async function downloadedFiles(outputs: Outputs, projectId: string): Promise<StoredFile[]> {
  const ofSteps = (await outputs.steps(projectId)).flatMap((step) => step.entries);
  return [
    ...(await outputs.below(projectId, WHOLE_FOLDERS)),
    ...(await outputs.findAll(
      projectId,
      ofSteps.filter((path) => STEP_FILES.test(path)),
    )),
  ];
}

/** A zip of published files that does not exist yet: each byte is made when it is asked for. */
export interface Zip {
  size: number;
  /** What its bytes are known by. */
  tag: string;
  /** The bytes `start`–`end` (inclusive), or all of them. Ends early with an error when a file is not as long as its row says. */
  stream(range?: ByteRange): Readable;
}

interface ByteRange {
  start: number;
  end: number;
}

type OpenFile = (file: StoredFile, range?: ByteRange) => Promise<Readable>;

/** A piece of the zip: a record, which is made when it is sent, or a file. */
type Piece = { length: number } & ({ record: () => Promise<Buffer> } | { file: StoredFile });

/**
 * Files are stored uncompressed (images and h5ad are compressed already), so that the size is known before the first byte and
 * any byte's place: a download that broke off goes on where it was. A file's CRC-32 is computed while it is sent.
 */
export function zipOf(files: readonly StoredFile[], openFile: OpenFile): Zip {
  const entries = files.map((file) => ({ ...file, modified: file.publishedAt }));
  const pieces: Piece[] = [];
  const placed: { entry: (typeof entries)[number]; at: number }[] = [];
  let at = 0;
  const add = (piece: Piece): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const entry of entries) {
    placed.push({ entry, at });
    const header = localHeader(entry);
    add({ length: header.length, record: () => Promise.resolve(header) });
    add({ length: entry.size, file: entry });
    add({
      length: descriptorLength(entry),
      record: async () => descriptor(entry, await crcOf(entry, openFile)),
    });
  }
  const start = at;
  const directoryWith = (crcs: readonly number[]): Buffer =>
    directory(
      placed.map(({ entry, at }, n) => ({ ...entry, at, crc: crcs[n] ?? 0 })),
      start,
    );
  add({
    length: directoryWith([]).length,
    record: async () => {
      const crcs: number[] = [];
      for (const { entry } of placed) crcs.push(await crcOf(entry, openFile));
      return directoryWith(crcs);
    },
  });
  const listed = entries.map(({ path, size, sha256, modified }) => [
    path,
    size,
    sha256,
    modified.getTime(),
  ]);
  return {
    size: at,
    tag: `"${hash("sha256", JSON.stringify(listed), "base64url")}"`,
    stream: (range = { start: 0, end: at - 1 }) =>
      Readable.from(bytesOf(pieces, range, openFile), {
        objectMode: false,
        highWaterMark: BUFFERED_BYTES,
      }),
  };
}

const BUFFERED_BYTES = 512 * 1024;

async function* bytesOf(
  pieces: readonly Piece[],
  range: ByteRange,
  openFile: OpenFile,
): AsyncGenerator<Buffer> {
  let at = 0;
  for (const piece of pieces) {
    // Within the piece, end exclusive.
    const from = Math.max(0, range.start - at);
    const to = Math.min(piece.length, range.end + 1 - at);
    at += piece.length;
    if (from >= to) continue;
    if ("record" in piece) yield (await piece.record()).subarray(from, to);
    else yield* fileBytes(piece.file, { start: from, end: to - 1 }, openFile);
  }
}

async function* fileBytes(
  file: StoredFile,
  range: ByteRange,
  openFile: OpenFile,
): AsyncGenerator<Buffer> {
  let [crc, sent] = [0, 0];
  for await (const chunk of (await openFile(file, range)) as AsyncIterable<Buffer>) {
    crc = crc32(chunk, crc);
    sent += chunk.length;
    yield chunk;
  }
  if (sent !== range.end + 1 - range.start) {
    throw new Error(`${file.path} is not as long as its row says`);
  }
  if (sent === file.size) remember(file, crc);
}

/** CRC-32s of contents that were sent or read lately, so that the zip's end needs no second look at its files. */
const known = new Map<string, number>();
const MOST_KNOWN = 50_000;

function remember({ sha256 }: StoredFile, crc: number): void {
  const oldest = known.size >= MOST_KNOWN ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  known.set(sha256, crc);
}

/** Reads the file where its CRC-32 is not known: a part of it may have been sent by another process, or before a restart. */
async function crcOf(file: StoredFile, openFile: OpenFile): Promise<number> {
  const found = known.get(file.sha256);
  if (found !== undefined) return found;
  if (file.size === 0) return 0;
  let crc = 0;
  for await (const chunk of (await openFile(file)) as AsyncIterable<Buffer>) {
    crc = crc32(chunk, crc);
  }
  remember(file, crc);
  return crc;
}
