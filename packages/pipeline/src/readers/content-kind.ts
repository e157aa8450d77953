import { open } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { HEAD_BYTES } from "@stipple/contract/recognition/content-kind";

/** What a file is by its first bytes; in the contract, because the pages look at files too. */
export * from "@stipple/contract/recognition/content-kind";

/** The first {@link HEAD_BYTES} of a file. */
export async function headOfFile(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** These bytes, or what they unpack to if they are the beginning of a gzip file. */
export function unpackedHead(head: Uint8Array): Uint8Array {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  try {
    const unpacked = gunzipSync(head, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 4 * 1032 * HEAD_BYTES,
    });
    return unpacked.subarray(0, HEAD_BYTES);
  } catch {
    return head;
  }
}
