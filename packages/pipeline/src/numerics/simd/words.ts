import { shuffle, vector, type Code } from "./assembler.ts";

/** Vectors of four 32-bit words, and the bits of two doubles. */

const double = (value: number): Code => Array.from(new Uint8Array(Float64Array.of(value).buffer));
/** The same double twice. */
export const doubles = (value: number): Code => [
  ...vector(0x0c),
  ...double(value),
  ...double(value),
];
export const words = (...values: readonly [number, number, number, number]): Code => [
  ...vector(0x0c),
  ...new Uint8Array(Int32Array.from(values).buffer),
];
/** One number in all four words. */
export const wordTimes4 = (number: Code): Code => [...number, ...vector(0x11)];
export const addWords = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xae)];
/** All bits set where a ≥ b, both signed. */
export const areNotLess = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x3f)];
/** The highest bit of each word, as a bit mask in a 32-bit integer. */
export const highestBits = (a: Code): Code => [...a, ...vector(0xa4)];
export const wordsAnd = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x4e)];
/** Bits of `a` where `mask` has them set, else of `b`. */
export const choose = (a: Code, b: Code, mask: Code): Code => [
  ...a,
  ...b,
  ...mask,
  ...vector(0x52),
];
export const wordsShifted = (a: Code, bits: Code): Code => [...a, ...bits, ...vector(0xab)];
export const wordsUnshifted = (a: Code, bits: Code): Code => [...a, ...bits, ...vector(0xad)];
/** The bytes of `a` selected by `places`. */
export const bytesAt = (a: Code, places: Code): Code => [...a, ...places, ...vector(0x0e)];
/** Number of bits set in a 32-bit integer. */
export const setBits = (a: Code): Code => [...a, 0x69];

/** Two 64-bit integers. */
export const longsUnshifted = (a: Code, bits: Code): Code => [...a, ...bits, ...vector(0xcd)];
export const longsShifted = (a: Code, bits: Code): Code => [...a, ...bits, ...vector(0xcb)];
export const longsMinus = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xd1)];
export const longsTwice = (number: Code): Code => [...number, ...vector(0x12)];
/** One of four words as a 32-bit integer. */
export const wordOf = (a: Code, at: 0 | 1 | 2 | 3): Code => [...a, ...vector(0x1b), at];
/** All bits set where a < b, doubles. */
export const areLess = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x49)];
/** Two 64-bit integers below 2³¹ as doubles. */
export const longsAsDoubles = (a: Code): Code => [
  ...shuffle(a, a, [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11]),
  ...vector(0xfe),
];

/** All bits set where a = b, doubles. */
export const areEqual = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x47)];
/** Whether any bit is set, as a 32-bit integer. */
export const isAny = (a: Code): Code => [...a, ...vector(0x53)];
/** The highest bit of each double, as a bit mask in a 32-bit integer. */
export const highestBitsOfTwo = (a: Code): Code => [...a, ...vector(0xc4)];
/** The minimum and the maximum of two doubles each: b if it is strictly less (greater), else a. */
export const lesser = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf6)];
export const greater = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf7)];
export const floor = (a: Code): Code => [...a, ...vector(0x75)];
/** Stores the first double. */
export const storeFirst = (at: Code, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  ...vector(0x5b),
  3,
  offset,
  0,
];
