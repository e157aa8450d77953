import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputError } from "../../errors.ts";
import { plainText } from "../tables/plain-text.ts";
import { faultOfContent, HEAD_BYTES, TEXT_KINDS, type WantedContent } from "../content-kind.ts";
import { LONGEST_LINE, MAX_LINES, maxUnpackedText } from "@stipple/formats/limits";

const PIECE_BYTES = 1 << 20;

/**
 * Whether a file starts like gzip; its name does not matter, because browsers unpack some downloads on the fly.
 */
async function isGzip(path: string): Promise<boolean> {
  await using handle = await open(path, "r");
  const head = Buffer.alloc(2);
  const { bytesRead } = await handle.read(head, 0, 2, 0);
  return bytesRead === 2 && head[0] === 0x1f && head[1] === 0x8b;
}

function unreadable(path: string, cause: unknown): InputError {
  if (cause instanceof InputError) return cause;
  const file = basename(path);
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  const absence = { ENOENT: "does not exist", EISDIR: "is a folder" }[code];
  if (absence) return new InputError(`${file} ${absence}: check its path.`, { cause });
  const what =
    code === "Z_BUF_ERROR"
      ? "is incomplete: its compressed data are cut off"
      : code.startsWith("Z_")
        ? "is damaged: its compressed data cannot be decompressed"
        : `cannot be read (${code || String(cause)})`;
  return new InputError(`${file} ${what}; copy or upload it again.`, { cause });
}

/** What a text file should be, in words, and what to do if it is something else. */
export type WantedText = Pick<WantedContent, "what" | "remedy"> & Partial<WantedContent>;

/** Throws {@link InputError} if a file that should be text starts as something else: a web page, an archive. */
function requireText(path: string, head: Buffer, wanted: WantedText): void {
  const file = basename(path);
  const start = head.subarray(0, HEAD_BYTES);
  const fault = faultOfContent(file, start, { kinds: TEXT_KINDS, ...wanted });
  if (fault !== null) throw new InputError(fault);
}

/** Checks the first of these pieces, and converts the text to UTF-8 with newlines. */
async function* asPlainText(
  path: string,
  pieces: AsyncIterable<Buffer>,
  wanted: WantedText,
  note?: (oddity: string) => void,
): AsyncGenerator<Buffer> {
  let isFirst = true;
  const checked = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (isFirst) requireText(path, piece, wanted);
      isFirst = false;
      yield piece;
    }
    if (isFirst) requireText(path, Buffer.alloc(0), wanted);
  };
  yield* plainText(checked(), note);
}

/** Error for a file that would fill the machine's memory when read. */
function implausible(path: string, what: string): InputError {
  const file = basename(path);
  return new InputError(`${file} ${what}: use the original Space Ranger file.`);
}

/**
 * Bytes of a text file, decompressed if gzipped, in pieces of about 1 MB. Throws {@link InputError} for a
 * truncated or damaged file, and for one that unpacks to far more than text does.
 */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  try {
    const isPacked = await isGzip(path);
    const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
    if (!isPacked) {
      for await (const piece of source) yield piece as Buffer;
      return;
    }
    // With room for more than one piece, the next is unpacked while one is read.
    const ahead = { chunkSize: PIECE_BYTES, readableHighWaterMark: 4 * PIECE_BYTES };
    const gunzip = createGunzip(ahead);
    pipeline(source, gunzip, () => undefined);
    const most = maxUnpackedText((await stat(path)).size);
    let unpacked = 0;
    for await (const piece of gunzip) {
      unpacked += (piece as Buffer).length;
      if (unpacked > most) {
        const what = `decompresses to more than ${most} bytes, far more than its size suggests`;
        throw implausible(path, what);
      }
      yield piece as Buffer;
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Same as {@link readPieces}, as plain text. Throws {@link InputError} also for a file that is not text. */
export function readTextPieces(path: string, wanted: WantedText): AsyncGenerator<Buffer> {
  return asPlainText(path, readPieces(path), wanted);
}

/** Error for a line without an end. */
export function tooLongLine(path: string, lineNumber: number): InputError {
  return implausible(path, `has a line of more than ${LONGEST_LINE} bytes (line ${lineNumber})`);
}

/**
 * Lines of a text file in any usual encoding, without line endings; a byte-order mark and a trailing empty line
 * are dropped. `note` gets each oddity of the text, as part of a sentence. Throws {@link InputError} for a file
 * that is not text, for a line that does not end, and for more lines than a slide has spots.
 */
export async function* readLines(
  path: string,
  wanted: WantedText,
  note?: (oddity: string) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  for await (const piece of asPlainText(path, readPieces(path), wanted, note)) {
    rest += decoder.decode(piece, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop()!;
    count += lines.length;
    if (count > MAX_LINES) throw implausible(path, `has more than ${MAX_LINES} lines`);
    if (rest.length > LONGEST_LINE) throw tooLongLine(path, count + 1);
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest.endsWith("\r") ? rest.slice(0, -1) : rest;
}

/** Reads a text of at most `limit` bytes, decompressed if gzipped. Throws {@link InputError} if it is larger or not text. */
export async function readText(path: string, wanted: WantedText, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of asPlainText(path, readPieces(path), wanted)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > limit) {
      const file = basename(path);
      throw new InputError(
        `${file} is larger than ${limit / 2 ** 20} MB, too large for ${wanted.what}: ${wanted.remedy}.`,
      );
    }
  }
  return Buffer.concat(pieces).toString("utf8");
}
