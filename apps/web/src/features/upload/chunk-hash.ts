/** SHA-256 of a chunk in hex, or undefined where the browser offers no hashing (pages served without TLS from another machine). */
export async function chunkHash(bytes: Blob): Promise<string | undefined> {
  const data = await bytes.arrayBuffer();
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
