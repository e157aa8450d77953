import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { SMALL_BYTES } from "../outputs/layout.ts";
import type { MadeFile } from "./messages.ts";

/** A local file as a finding holds it: small ones are a row, others an object. */
export async function findingFile(path: string): Promise<Uint8Array | MadeFile> {
  const { size } = await stat(path);
  if (size < SMALL_BYTES) return gzipSync(await readFile(path), { level: 4 });
  return madeFile(path);
}

export async function madeFile(path: string): Promise<MadeFile> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return { path, size: (await stat(path)).size, sha256: hash.digest("hex") };
}
