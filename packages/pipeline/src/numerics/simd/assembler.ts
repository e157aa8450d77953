/** WebAssembly instructions in sequence; an expression leaves its value on the stack. */
export type Code = readonly number[];

/** A local variable of a function: a number or a vector. */
export interface Local {
  readonly get: Code;
  set(value: Code): Code;
}

type ValueType = typeof I32 | typeof I64 | typeof V128;
const [I32, I64, V128] = [0x7f, 0x7e, 0x7b] as const;

/** A function without a result whose parameters are 32-bit integers: memory addresses and lengths. */
export interface SimdFunction {
  name: string;
  nParams: number;
  locals: readonly ValueType[];
  body: Code;
}

/** Assembles a function: `build` gets its parameters and creates locals as needed. */
export function simdFunction(
  name: string,
  nParams: number,
  build: (params: Local[], local: { number(): Local; long(): Local; vector(): Local }) => Code,
): SimdFunction {
  const locals: ValueType[] = [];
  const at = (index: number): Local => ({
    get: [0x20, ...unsigned(index)],
    set: (value) => [...value, 0x21, ...unsigned(index)],
  });
  const make = (type: ValueType) => (): Local => at(nParams + locals.push(type) - 1);
  const params = Array.from({ length: nParams }, (_, i) => at(i));
  const body = build(params, { number: make(I32), long: make(I64), vector: make(V128) });
  return { name, nParams, locals, body };
}

/** 32-bit integers. */
export const int = (value: number): Code => [0x41, ...signed(value)];
export const plus = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
/** Times two to the power of `bits`. */
export const shifted = (a: Code, bits: number): Code => [...a, ...int(bits), 0x74];
export const isLess = (a: Code, b: Code): Code => [...a, ...b, 0x49];

/** One, two, or four bytes at a memory address, as 32-bit integers. */
export const load8 = (at: Code): Code => [...at, 0x2d, 0, 0];
export const load16 = (at: Code): Code => [...at, 0x2f, 0, 0];
export const load32 = (at: Code): Code => [...at, 0x28, 2, 0];
export const store32 = (at: Code, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  0x36,
  2,
  ...unsigned(offset),
];
export const minus = (a: Code, b: Code): Code => [...a, ...b, 0x6b];
export const unshifted = (a: Code, bits: number): Code => [...a, ...int(bits), 0x76];
export const bitsOf = (a: Code, mask: number): Code => [...a, ...int(mask), 0x71];
export const both = (a: Code, b: Code): Code => [...a, ...b, 0x71];
export const isSame = (a: Code, b: Code): Code => [...a, ...b, 0x46];
export const isNot = (a: Code): Code => [...a, 0x45];

/** 64-bit integers. */
export const long = (value: bigint): Code => [0x42, ...signedLong(value)];
export const loadLong = (at: Code): Code => [...at, 0x29, 0, 0];
export const longOf = (number: Code): Code => [...number, 0xad];
export const lowHalf = (a: Code): Code => [...a, 0xa7];
export const longPlus = (a: Code, b: Code): Code => [...a, ...b, 0x7c];
export const longTimes = (a: Code, b: Code): Code => [...a, ...b, 0x7e];
export const longAnd = (a: Code, b: Code): Code => [...a, ...b, 0x83];
export const longXor = (a: Code, b: Code): Code => [...a, ...b, 0x85];
export const longShifted = (a: Code, bits: Code): Code => [...a, ...bits, 0x86];
export const longUnshifted = (a: Code, bits: Code): Code => [...a, ...bits, 0x88];
export const isSameLong = (a: Code, b: Code): Code => [...a, ...b, 0x51];
/** Number of trailing zero bits. */
export const lowestZeros = (a: Code): Code => [...a, 0x7a];

/** A vector instruction. */
export const vector = (opcode: number): Code => [0xfd, ...unsigned(opcode)];
const memory = (opcode: number, at: Code, offset: number, alignment: number): Code => [
  ...at,
  ...vector(opcode),
  alignment,
  ...unsigned(offset),
];
/** Vectors of two doubles. */
export const ZERO: Code = [...vector(0x0c), ...new Array<number>(16).fill(0)];
export const add = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf0)];
/** a − b. */
export const subtract = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf1)];
export const multiply = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf2)];
export const divide = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf3)];
/** All bits set where a > b, none set elsewhere. */
export const isMore = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x4a)];
export const bitsAnd = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x4e)];
/** Two doubles. */
export const load = (at: Code, offset = 0): Code => memory(0x00, at, offset, 3);
export const store = (at: Code, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  ...vector(0x0b),
  3,
  ...unsigned(offset),
];
/** One double, in both lanes. */
export const loadTwice = (at: Code, offset = 0): Code => memory(0x0a, at, offset, 3);
/** Two floats, as doubles. */
export const loadFloats = (at: Code, offset = 0): Code => [
  ...memory(0x5d, at, offset, 2),
  ...vector(0x5f),
];
/** Stores two doubles as floats, rounded to the nearest. */
export const storeFloats = (at: Code, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  ...vector(0x5e),
  ...vector(0x5b),
  2,
  ...unsigned(offset),
  0,
];

const FIRST = [0, 1, 2, 3, 4, 5, 6, 7];
/** Sixteen of the 32 bytes of both. */
export const shuffle = (a: Code, b: Code, bytes: readonly number[]): Code => [
  ...a,
  ...b,
  ...vector(0x0d),
  ...bytes,
];
/** The first double of each; below, the second of each. */
export const firsts = (a: Code, b: Code): Code =>
  shuffle(a, b, [...FIRST, ...FIRST.map((byte) => 16 + byte)]);
export const seconds = (a: Code, b: Code): Code =>
  shuffle(a, b, [...FIRST.map((byte) => 8 + byte), ...FIRST.map((byte) => 24 + byte)]);

/** Repeats the body while the condition, tested after it, holds. */
export const repeatWhile = (condition: Code, body: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...condition,
  0x0d,
  0,
  0x0b,
];

/** Repeats the body until it exits. */
export const repeat = (body: Code): Code => [0x02, 0x40, 0x03, 0x40, ...body, 0x0c, 0, 0x0b, 0x0b];
/** Exits {@link repeat} if the condition holds; `within` = number of enclosing {@link when}s. */
export const leaveWhen = (condition: Code, within = 0): Code => [...condition, 0x0d, 1 + within];
export const when = (condition: Code, then: Code, otherwise: Code): Code => [
  ...condition,
  0x04,
  0x40,
  ...then,
  0x05,
  ...otherwise,
  0x0b,
];

/** Functions with a memory of their own. */
export interface SimdModule {
  /** Reserves this many bytes; arrays on the previous buffer are empty afterwards. */
  reserve(bytes: number): ArrayBuffer;
  call: Readonly<Record<string, (...params: number[]) => void>>;
}

const PAGE = 1 << 16;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly used here: TypeScript does not know it without browser types. */
const { Module, Instance } = (
  globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object) => { exports: Record<string, unknown> };
    };
  }
).WebAssembly;

/**
 * Compiles functions: the few necessary sections of a module in the binary format of WebAssembly 2.0. Once per thread.
 */
export function openSimd(functions: readonly SimdFunction[]): SimdModule {
  const widths = [...new Set(functions.map(({ nParams }) => nParams))];
  const types = widths.map((n) => [0x60, ...list(new Array<Code>(n).fill([I32])), 0]);
  const bodies = functions.map(({ locals, body }) =>
    sized([...list(locals.map((type) => [1, type])), ...body, 0x0b]),
  );
  const names = functions.map(({ name }, i) => [...text(name), 0, ...unsigned(i)]);
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(3, list(functions.map(({ nParams }) => unsigned(widths.indexOf(nParams))))),
    ...section(5, [1, 0, 1]),
    ...section(7, list([...names, [...text("memory"), 2, 0]])),
    ...section(10, list(bodies)),
  ]);
  const { exports } = new Instance(new Module(bytes));
  const room = exports["memory"] as WasmMemory;
  return {
    reserve(bytes) {
      const missing = Math.ceil((bytes - room.buffer.byteLength) / PAGE);
      if (missing > 0) room.grow(missing);
      return room.buffer;
    },
    call: exports as SimdModule["call"],
  };
}

const section = (id: number, content: Code): Code => [id, ...sized(content)];
const sized = (content: Code): Code => [...unsigned(content.length), ...content];
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const text = (value: string): Code => sized(Array.from(Buffer.from(value, "utf8")));

/** Seven bits per byte, lowest first; the eighth bit marks that more follow. */
function unsigned(value: number): Code {
  const out: number[] = [];
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
  return [...out, value];
}

/** The same for signed numbers; the sign is the seventh bit of the last byte. */
function signed(value: number): Code {
  const out: number[] = [];
  for (; value > 63 || value < -64; value >>= 7) out.push((value & 127) | 128);
  return [...out, value & 127];
}

function signedLong(value: bigint): Code {
  const out: number[] = [];
  for (; value > 63n || value < -64n; value >>= 7n) out.push(Number(value & 127n) | 128);
  return [...out, Number(value & 127n)];
}
