import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
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
  await using file = await open(path, "w");
  let pending = "";
  for (const piece of pieces) {
    pending += piece;
    if (pending.length < PIECE_CHARACTERS) continue;
    throwIfCancelled(signal);
    await file.writeFile(pending);
    pending = "";
  }
  await file.writeFile(pending);
}

/** Writes strings one after another to a gzip file, a megabyte at a time. */
export async function writeGzipPieces(
  path: string,
  pieces: Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  const blocks = function* (): Generator<string> {
    let pending = "";
    for (const piece of pieces) {
      pending += piece;
      if (pending.length < PIECE_CHARACTERS) continue;
      throwIfCancelled(signal);
      yield pending;
      pending = "";
    }
    if (pending !== "") yield pending;
  };
  await pipeline(Readable.from(blocks()), createGzip({ level: 1 }), createWriteStream(path));
}

/** Writes lines to a gzip file. */
export function writeGzipLines(path: string, lines: readonly string[]): Promise<void> {
  const ended = function* (): Generator<string> {
    for (const line of lines) yield `${line}\n`;
  };
  return writeGzipPieces(path, ended());
}
