import { sha256Hex } from "./sha256.ts";

/** SHA-256 of a chunk in hex. */
export async function chunkHash(chunk: Blob): Promise<string> {
  const bytes = new Uint8Array(await chunk.arrayBuffer());
  // Pages served without TLS from another machine are denied the browser's own.
  if (!globalThis.crypto?.subtle) return sha256Hex(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
