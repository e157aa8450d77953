/** Every browser's `String.fromCharCode` accepts this many arguments. */
const AT_ONCE = 0x8000;

/** Encodes bytes as base64 text. */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  }
  return btoa(text);
}

/** Decodes base64 text. Throws a DOMException if it is invalid. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
