import { Random } from "@stipple/numerics/random";
import type { Range } from "./ranges.ts";

/** A file with one to four pieces of its ranges changed, as bad copies and failing disks do: its length stays. */
export function damaged(file: Buffer, ranges: readonly Range[], seed: number): Buffer {
  const random = new Random(seed);
  const places = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  for (;;) {
    const bytes = Buffer.from(file);
    const changes = 1 + random.below(random.uniform() < 0.6 ? 1 : 4);
    for (let i = 0; i < changes; i++) change(bytes, rangeAt(ranges, random.below(places)), random);
    if (!bytes.equals(file)) return bytes;
  }
}

/** The part of a range from the nth of all bytes on. */
function rangeAt(ranges: readonly Range[], n: number): Range {
  for (const { from, to } of ranges) {
    if (n < to - from) return { from: from + n, to };
    n -= to - from;
  }
  throw new RangeError("No such byte");
}

function change(bytes: Buffer, { from, to }: Range, random: Random): void {
  const length = Math.min(to - from, 1 + random.below(random.uniform() < 0.7 ? 8 : 300));
  switch (random.below(5)) {
    case 0:
      bytes[from] ^= 1 << random.below(8);
      break;
    case 1:
      for (let i = from; i < from + length; i++) bytes[i] = random.below(256);
      break;
    case 2:
      bytes.fill(random.below(2) * 255, from, from + length);
      break;
    case 3:
      // A piece of elsewhere, as when blocks of a disk are mixed up.
      moveWithin(bytes, random.below(bytes.length - length + 1), from, length);
      break;
    default:
      for (let i = from; i < from + length; i++) bytes[i] ^= 0x20;
  }
}

function moveWithin(bytes: Buffer, source: number, target: number, length: number): void {
  bytes.copyWithin(target, source, source + length);
}
