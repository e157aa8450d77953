/** A run may be padded to a whole number of groups. */
const FILLING = 4_096;

/**
 * Throws RangeError if a run in a page (repeated or bit-packed values) announces more values than the page has,
 * because readers would write them all. `at` to `end` are the runs of `values` values of `bits` bits. O(end -
 * at).
 */
export function requireSoundRuns(
  bytes: Uint8Array,
  { at, end, bits, values }: { at: number; end: number; bits: number; values: number },
): void {
  const most = values + FILLING;
  let seen = 0;
  while (seen < values && at < end) {
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      // A truncated header, or one longer than a 32-bit number, is invalid.
      if (byte === undefined || shift > 28) throw new RangeError("a run without a length");
      head += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    const isPacked = head % 2 === 1;
    const half = Math.floor(head / 2);
    const count = isPacked ? 8 * half : half;
    if (count > most) throw new RangeError(`a run of ${count} among ${values} values`);
    at += isPacked ? half * bits : Math.ceil(bits / 8);
    seen += count;
  }
}
