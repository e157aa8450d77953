import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createGunzip, gunzipSync } from "node:zlib";
import { InputError } from "../../errors.ts";

const PIECE_BYTES = 1 << 20;

/** Whether a file starts like gzip; its name does not decide, because browsers unpack some downloads on the way. */
async function isGzip(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const head = Buffer.alloc(2);
    const { bytesRead } = await handle.read(head, 0, 2, 0);
    return bytesRead === 2 && head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function unreadable(path: string, cause: unknown): InputError {
  if (cause instanceof InputError) return cause;
  const file = basename(path);
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  const what =
    code === "Z_BUF_ERROR"
      ? "is incomplete: its compressed data end early"
      : code.startsWith("Z_")
        ? "is damaged: its compressed data cannot be unpacked"
        : `cannot be read (${code || String(cause)})`;
  return new InputError(`${file} ${what}; copy or upload it again.`, { file, cause });
}

/** Bytes of a text file, unpacked where it is gzip, in pieces of about 1 MB. Throws {@link InputError} for a cut or damaged file. */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  try {
    const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
    if (!(await isGzip(path))) {
      for await (const piece of source) yield piece as Buffer;
      return;
    }
    const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
    source.on("error", (error) => gunzip.destroy(error));
    for await (const piece of source.pipe(gunzip)) yield piece as Buffer;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Lines of a text file without their ends; a byte-order mark and a last empty line are dropped. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let atStart = true;
  for await (const piece of readPieces(path)) {
    rest += decoder.decode(piece, { stream: true });
    if (atStart) {
      rest = rest.replace(/^\uFEFF/, "");
      atStart = false;
    }
    const lines = rest.split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest.endsWith("\r") ? rest.slice(0, -1) : rest;
}

/** A small text file at once, unpacked where it is gzip. */
export async function readSmallText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    return text.toString("utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
