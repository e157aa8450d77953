import { open } from "node:fs/promises";
import { HEAD_BYTES } from "@stipple/contract/recognition/content-kind";

/** What a file is by its first bytes; in the contract, because the pages look at files too. */
export * from "@stipple/contract/recognition/content-kind";

/** The first {@link HEAD_BYTES} of a file. */
export async function headOfFile(path: string): Promise<Buffer> {
  await using handle = await open(path, "r");
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
  return head.subarray(0, bytesRead);
}
