import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { throwIfCancelled } from "../errors.ts";

const PIECE_CHARACTERS = 1 << 20;

/** Writes strings one after another, a megabyte at a time: memory does not grow with the file. */
export async function writePieces(
  path: string,
  pieces: Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  await pipeline(Readable.from(blocksOf(pieces, signal)), createWriteStream(path));
}

/** Writes strings one after another to a gzip file, a megabyte at a time. */
export async function writeGzipPieces(
  path: string,
  pieces: Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  const blocks = Readable.from(blocksOf(pieces, signal));
  await pipeline(blocks, createGzip({ level: 1 }), createWriteStream(path));
}

function* blocksOf(pieces: Iterable<string>, signal: AbortSignal | undefined): Generator<string> {
  let pending = "";
  for (const piece of pieces) {
    pending += piece;
    if (pending.length < PIECE_CHARACTERS) continue;
    throwIfCancelled(signal);
    yield pending;
    pending = "";
  }
  if (pending !== "") yield pending;
}

/** Writes lines to a gzip file. */
export function writeGzipLines(path: string, lines: readonly string[]): Promise<void> {
  const ended = function* (): Generator<string> {
    for (const line of lines) yield `${line}\n`;
  };
  return writeGzipPieces(path, ended());
}
