import { expect, it } from "vitest";
import { chunkHash } from "./chunk-hash.ts";
import { sha256Hex } from "./sha256.ts";

/** The browser's own. */
const expected = (bytes: Uint8Array<ArrayBuffer>) => chunkHash(new Blob([bytes]));

it("agrees with the browser's own at every length of the last block, and for a megabyte", async () => {
  const bytes = Uint8Array.from({ length: 1024 * 1024 }, (_, at) => (at * 97 + 13) % 256);
  for (let length = 0; length <= 200; length++) {
    const piece = bytes.subarray(7, 7 + length);
    expect(sha256Hex(piece)).toBe(await expected(piece));
  }
  expect(sha256Hex(bytes)).toBe(await expected(bytes));
});
