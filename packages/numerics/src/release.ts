/** Smaller arrays are not worth it, and may lie in the pool that Node's small buffers share. */
const MIN_BYTES = 1 << 17;

/**
 * Frees an array's memory immediately; the array is empty afterward. For large arrays that are allocated over and
 * over: otherwise the garbage collector runs constantly, which takes a sixth of the time of a step.
 */
export function release({ buffer }: ArrayBufferView): void {
  // Memory shared between threads is not this thread's to free.
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_BYTES) buffer.transfer(0);
}
