import { deserialize, serialize } from "node:v8";

/**
 * A plain value with typed arrays as bytes, bit by bit: the structured clone format of V8, which preserves undefined,
 * -0, and every NaN. Both ends run the same V8 (see {@link machineKind}).
 */
export function encode(value: unknown): Uint8Array {
  return serialize(value);
}

/** Decodes the value. Its arrays may share memory with `bytes`. Throws if the bytes are not such a value. */
export function decode<T>(bytes: Uint8Array): T {
  return deserialize(bytes) as T;
}
