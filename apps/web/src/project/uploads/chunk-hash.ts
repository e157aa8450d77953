/** SHA-256 of a chunk in hex. */
export async function chunkHash(chunk: Blob): Promise<string> {
  const bytes = new Uint8Array(await chunk.arrayBuffer());
  const digest = await sha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (globalThis.crypto?.subtle) {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  }
  // Pages served without TLS from another machine cannot use the browser's own SHA-256.
  return (await import("@noble/hashes/sha2.js")).sha256(bytes);
}
