import { createHash, type Hash } from "node:crypto";

/** A digest of everything in a value: numbers, texts, arrays, and what objects and maps hold. */
export function contentOf(value: unknown): string {
  const hash = createHash("sha256");
  add(hash, value);
  return hash.digest("hex");
}

function add(hash: Hash, value: unknown): void {
  if (ArrayBuffer.isView(value)) {
    hash.update(`${value.constructor.name} ${value.byteLength} `);
    hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  } else if (Array.isArray(value)) {
    hash.update(`[${value.length} `);
    for (const each of value) add(hash, each);
  } else if (value instanceof Map || value instanceof Set) {
    add(hash, [...value]);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (typeof each !== "function") add(hash, [name, each]);
    }
  } else {
    hash.update(`${typeof value} ${String(value)} `);
  }
}
