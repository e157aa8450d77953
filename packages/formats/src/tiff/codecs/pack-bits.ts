/** Unpacks PackBits (TIFF 6.0) up to `size` bytes. Missing data at the end are left out. */
export function unpackPackBits(packed: Uint8Array, { size }: { size: number }): Uint8Array {
  const out = new Uint8Array(size);
  let length = 0;
  for (let at = 0; at + 1 < packed.length && length < size;) {
    const head = packed[at++];
    if (head === 128) continue;
    if (head > 128) {
      const end = Math.min(size, length + 257 - head);
      out.fill(packed[at++], length, end);
      length = end;
    } else {
      const n = Math.min(head + 1, packed.length - at, size - length);
      out.set(packed.subarray(at, at + n), length);
      at += head + 1;
      length += n;
    }
  }
  return out.subarray(0, length);
}
