import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";

export interface FileChecksum {
  file: string;
  bytes: number;
  sha256: string;
}

/** Size and SHA-256 of a file, read as a stream. */
export async function checksumOf(
  path: string,
  signal: AbortSignal,
  read?: (bytes: number) => void,
): Promise<FileChecksum> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    hash.update(piece as Buffer);
    read?.((piece as Buffer).length);
  }
  return { file: basename(path), bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
