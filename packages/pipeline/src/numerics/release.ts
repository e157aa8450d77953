/** Less is not worth it, and may lie in memory that Node's small buffers have in common. */
const LEAST_BYTES = 1 << 17;

/**
 * Gives an array's memory back at once; the array is empty afterwards. For large arrays that are made over and over: left to
 * be collected, they make the collector run all the time, which takes a sixth of the time of a step.
 */
export function release({ buffer }: ArrayBufferView): void {
  // What threads share is not this thread's to give back.
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0);
}
