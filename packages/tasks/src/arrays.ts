type TypedArray = NodeJS.TypedArray;

function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** The typed arrays in a plain value. */
export function arraysOf(value: unknown): TypedArray[] {
  if (isTypedArray(value)) return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(arraysOf);
}

/** The memory of a value's arrays, to be transferred; memory shared with threads or other arrays stays. */
export function ownMemory(value: unknown): ArrayBuffer[] {
  const buffers = arraysOf(value).flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
  return [...new Set(buffers)];
}

/** The value with every typed array in shared memory; arrays already there stay. */
export function shareMemory<T>(value: T): T {
  if (isTypedArray(value)) {
    if (value.buffer instanceof SharedArrayBuffer) return value;
    const Constructor = value.constructor as new (buffer: SharedArrayBuffer) => TypedArray;
    const shared = new Constructor(new SharedArrayBuffer(value.byteLength));
    shared.set(value as never);
    return shared as T;
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(shareMemory) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, shareMemory(part as unknown)]),
  ) as T;
}
