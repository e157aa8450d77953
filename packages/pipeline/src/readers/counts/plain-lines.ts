import {
  both,
  bitsOf,
  int,
  isLess,
  isNot,
  isSame,
  isSameLong,
  leaveWhen,
  load16,
  load8,
  loadLong,
  long,
  longAnd,
  longOf,
  longPlus,
  longShifted,
  longTimes,
  longUnshifted,
  longXor,
  lowestZeros,
  lowHalf,
  minus,
  openSimd,
  plus,
  repeat,
  shifted,
  simdFunction,
  store32,
  unshifted,
  when,
  type Code,
  type SimdModule,
} from "../../numerics/simd/assembler.ts";

const [BLANK, NEWLINE, NOUGHT] = [32, 10, 48];
/** "00000000": XOR with it turns each digit into its value. */
const NOUGHTS = 0x3030_3030_3030_3030n;
/** Sets the high bit of any byte above 9. Carries only affect the bytes after it. */
const ABOVE_NINE = 0x7676_7676_7676_7676n;
const HIGHEST = -0x7f7f_7f7f_7f7f_7f80n;

/**
 * Number of digits before the first other byte among eight (8 if there is none); the digits' "0" bits are
 * already removed.
 */
const digitsIn = (word: Code): Code =>
  unshifted(
    lowHalf(
      lowestZeros(longAnd([...longPlus(word, long(ABOVE_NINE)), ...word, 0x84], long(HIGHEST))),
    ),
    3,
  );

/**
 * The value of this many digits (1 to 7), most significant first: combines pairs, then fours, then all eight
 * with leading zeros.
 */
const valueOf = (word: Code, digits: Code): Code => {
  const step = (value: Code, factor: bigint, bits: bigint, mask: bigint): Code =>
    longAnd(longUnshifted(longTimes(value, long(factor)), long(bits)), long(mask));
  const aligned = longShifted(word, longOf(minus(int(64), shifted(digits, 3))));
  const pairs = step(aligned, 2561n, 8n, 0x00ff_00ff_00ff_00ffn);
  const fours = step(pairs, 6_553_601n, 16n, 0x0000_ffff_0000_ffffn);
  return lowHalf(longUnshifted(longTimes(fours, long(42_949_672_960_001n)), long(32n)));
};

/**
 * Reads lines of three whole numbers separated by single spaces and ended by a newline only, as long as they
 * have the same barcode and up to `most` bytes of numbers. Arguments: start and end of the text (the end
 * follows a newline), destinations for features (converted to 0-based) and values, and a destination for three
 * numbers: where it stopped, bytes of numbers, and the 0-based barcode. Stops at a line of any other form. It
 * processes eight bytes at a time; a digit-by-digit loop takes three times as long.
 */
const plainRun = simdFunction(
  "plainRun",
  6,
  ([at, end, features, values, most, told], { number, long: longNumber }) => {
    const [size, next, digits, value, barcode, sameBytes] = Array.from({ length: 6 }, number);
    const feature = number();
    const [word, mask, same] = [longNumber(), longNumber(), longNumber()];
    /** Reads a number at `next` that must be followed by `follower`, and moves past that. */
    const read = (into: typeof value, follower: number, within: number): Code => [
      ...word.set(longXor(loadLong(next.get), long(NOUGHTS))),
      ...digits.set(digitsIn(word.get)),
      ...leaveWhen(isNot(isLess(minus(digits.get, int(1)), int(7))), within),
      ...leaveWhen(isNot(isSame(load8(plus(next.get, digits.get)), int(follower))), within),
      ...into.set(valueOf(word.get, digits.get)),
      ...next.set(plus(next.get, plus(digits.get, int(1)))),
    ];
    const anotherBarcode = [
      ...leaveWhen(size.get, 1),
      ...same.set(loadLong(next.get)),
      ...read(barcode, BLANK, 1),
      ...leaveWhen(isNot(barcode.get), 1),
      ...sameBytes.set(plus(digits.get, int(1))),
      ...mask.set(longUnshifted(long(-1n), longOf(minus(int(64), shifted(sameBytes.get, 3))))),
      ...same.set(longAnd(same.get, mask.get)),
    ];
    return [
      ...same.set(long(1n)),
      ...repeat([
        ...leaveWhen(isNot(isLess(at.get, end.get))),
        ...leaveWhen(isNot(isLess(size.get, most.get))),
        ...next.set(at.get),
        ...read(feature, BLANK, 0),
        ...leaveWhen(isNot(feature.get)),
        // Most lines have the same barcode as the previous one.
        ...when(
          isSameLong(longAnd(loadLong(next.get), mask.get), same.get),
          next.set(plus(next.get, sameBytes.get)),
          anotherBarcode,
        ),
        // Most counts have one digit.
        ...value.set(minus(bitsOf(load16(next.get), 255), int(NOUGHT))),
        ...when(
          both(isLess(value.get, int(10)), isSame(unshifted(load16(next.get), 8), int(NEWLINE))),
          next.set(plus(next.get, int(2))),
          read(value, NEWLINE, 1),
        ),
        ...store32(plus(features.get, size.get), minus(feature.get, int(1))),
        ...store32(plus(values.get, size.get), value.get),
        ...size.set(plus(size.get, int(4))),
        ...at.set(next.get),
      ]),
      ...store32(told.get, at.get),
      ...store32(told.get, size.get, 4),
      ...store32(told.get, minus(barcode.get, int(1)), 8),
    ];
  },
);

/** Maximum number of lines per call; their numbers stay in the CPU cache. */
const MAX_LINES = 8192;
const NUMBERS = 4 * MAX_LINES;
const [FEATURES, VALUES, TOLD, TEXT] = [0, NUMBERS, 2 * NUMBERS, 2 * NUMBERS + 16];
/** Number of bytes past the end of the text that may be read. */
const BEHIND = 16;

/** Matrix text from which plain lines are read in runs; use one per thread at a time. */
export interface PlainLines {
  /** Copies text to where {@link PlainLines.take} reads it. */
  put(text: Uint8Array): void;
  /**
   * Reads up to a few thousand plain lines of one barcode starting at byte `from`; `to` must follow a newline.
   * Returns where it stopped, the number of lines (0 at a line of another form), their barcode, and features
   * and values, which the next call overwrites. Barcode and features are 0-based.
   */
  take(from: number, to: number): PlainRun;
}

interface PlainRun {
  stop: number;
  n: number;
  barcode: number;
  features: Int32Array;
  values: Int32Array;
}

let kernel: SimdModule | null = null;

export function openPlainLines(): PlainLines {
  const { reserve, call } = (kernel ??= openSimd([plainRun]));
  let memory = reserve(TEXT);
  let [features, values, told] = viewsOf(memory);
  return {
    put(text) {
      const now = reserve(TEXT + text.length + BEHIND);
      if (now !== memory) {
        memory = now;
        [features, values, told] = viewsOf(memory);
      }
      new Uint8Array(memory, TEXT, text.length).set(text);
    },
    take(from, to) {
      call["plainRun"]!(TEXT + from, TEXT + to, FEATURES, VALUES, NUMBERS, TOLD);
      const [stop, size, barcode] = [told[0]!, told[1]!, told[2]!];
      return { stop: stop - TEXT, n: size / 4, barcode, features, values };
    },
  };
}

function viewsOf(memory: ArrayBuffer): [Int32Array, Int32Array, Int32Array] {
  return [
    new Int32Array(memory, FEATURES, MAX_LINES),
    new Int32Array(memory, VALUES, MAX_LINES),
    new Int32Array(memory, TOLD, 3),
  ];
}
