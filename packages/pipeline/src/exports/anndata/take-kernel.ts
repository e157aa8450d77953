import { ROUNDING } from "@stipple/contract/packed-rates";
import { LN_TABLE } from "../../numerics/log1p.ts";
import {
  add,
  int,
  isLess,
  load,
  load32,
  loadFloats,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  shifted,
  simdFunction,
  store,
  store32,
  storeFloats,
  when,
  ZERO,
  type Code,
  type SimdFunction,
} from "../../numerics/simd/assembler.ts";
import { LOG1P_BYTES, log1pCode } from "../../numerics/simd/log1p-code.ts";
import {
  addWords,
  areNotLess,
  bytesAt,
  highestBits,
  setBits,
  words,
  wordsAnd,
  wordsShifted,
  wordsUnshifted,
  wordTimes4,
} from "../../numerics/simd/words.ts";

/** Entries of one cell, in the kernel's memory. */
export interface CellEntries {
  n: number;
  /** Positions among the genes, ascending. */
  indices: Int32Array;
  rates: Float32Array;
  normalized: Float32Array;
}

/** Loops over the rates of one cell at a time, in memory of fixed size. */
export interface TakeKernel {
  nGenes: number;
  /** Room for the rates of some cells; its content is used without copying. */
  dense: Float32Array<ArrayBuffer>;
  /** Room for given entries, and for what each sink takes from a cell. */
  given: CellEntries;
  taken: readonly CellEntries[];
  /** Sum of values as four sums side by side, of every fourth value each. */
  sumOf(values: Float32Array): number;
  /** Takes the rates of a row that are at least `least` into `to`. */
  takeRow(row: Float32Array, least: number, to: CellEntries): void;
  /** Takes them from other entries, with X if wanted. */
  takeFrom(from: CellEntries, least: number, to: CellEntries, withX: boolean): void;
  /** X of the entries: log1p of rate · factor. */
  normalize(entries: CellEntries, factor: number): void;
  /** Rounds the rates, or X, of the entries; see `roundRates`. */
  round(values: Float32Array, n: number): void;
}

/** A word below that of any rate. */
const NOTHING = -1;
const VECTOR = 16;

/**
 * Opens the exports' loops over rates in WebAssembly. Results are bit-identical to plain loops. Entries are packed by a
 * table of the sixteen ways to keep or drop four rates, since the processor cannot predict which ones are kept. For
 * `nSinks` sinks and up to `nRates` rates at a time.
 */
export function openTakeKernel(nGenes: number, nSinks: number, nRates: number): TakeKernel {
  const { reserve, call } = openSimd([
    sumFloats,
    takeRowCode,
    takeFromCode("takeFrom", false),
    takeFromCode("takeWithX", true),
    normalizeCode,
    roundCode,
  ]);
  const [packsAt, logsAt] = [0, 16 * VECTOR];
  const numbersAt = logsAt + LOG1P_BYTES;
  const entriesAt = numbersAt + 4 * VECTOR;
  // A row may end anywhere in a vector, and one more vector is written past the kept entries.
  const length = 4 * (Math.ceil(nGenes / 4) + 2);
  const sourceAt = entriesAt + 3 * 4 * length * (nSinks + 1);
  const denseAt = sourceAt + 4 * length;
  const buffer = reserve(denseAt + 4 * nRates);
  new Uint8Array(buffer, packsAt).set(packs());
  new Float64Array(buffer, logsAt).set(LN_TABLE);
  const numbers = new Float64Array(buffer, numbersAt, 4);
  const [keptBytes, least] = [0, 1].map((i) => new Int32Array(buffer, numbersAt + 32 + 4 * i, 1));
  const source = new Float32Array(buffer, sourceAt, nGenes);
  const [given, ...taken] = Array.from({ length: nSinks + 1 }, (_, i): CellEntries => {
    const at = entriesAt + 3 * 4 * length * i;
    return {
      n: 0,
      indices: new Int32Array(buffer, at, length),
      rates: new Float32Array(buffer, at + 4 * length, length),
      normalized: new Float32Array(buffer, at + 8 * length, length),
    };
  });

  /** Address of values, which are copied unless they are in the kernel's memory. */
  function placeOf(values: Float32Array): number {
    if (values.buffer === buffer) return values.byteOffset;
    source.set(values);
    return sourceAt;
  }

  return {
    nGenes,
    dense: new Float32Array(buffer, denseAt, nRates),
    given,
    taken,
    sumOf(values) {
      const whole = values.length - (values.length % 4);
      const at = placeOf(values);
      numbers.fill(0, 0, 4);
      if (whole > 0) call["sum"](at, at + 4 * whole, numbersAt);
      let [a] = numbers;
      for (let i = whole; i < values.length; i++) a += values[i];
      return a + numbers[1] + (numbers[2] + numbers[3]);
    },
    takeRow(row, leastRate, to) {
      const { rates, indices } = to;
      const whole = row.length - (row.length % 4);
      const at = placeOf(row);
      keptBytes[0] = 0;
      least[0] = wordOfFloat(leastRate);
      if (whole > 0) {
        call["takeRow"](at, at + 4 * whole, rates.byteOffset, indices.byteOffset, numbersAt + 32);
      }
      let n = keptBytes[0] / 4;
      for (let gene = whole; gene < row.length; gene++) {
        if (!(row[gene] >= leastRate)) continue;
        indices[n] = gene;
        rates[n++] = row[gene];
      }
      to.n = n;
    },
    takeFrom(from, leastRate, to, withX) {
      keptBytes[0] = 0;
      least[0] = wordOfFloat(leastRate);
      if (from.n > 0) {
        // The last vector may reach past the entries; nothing there may be kept.
        new Int32Array(buffer, from.rates.byteOffset + 4 * from.n, 4).fill(NOTHING);
        const at = from.rates.byteOffset;
        const places = [from.indices, to.rates, to.indices].map(({ byteOffset }) => byteOffset);
        const ofX = [from.normalized.byteOffset, to.normalized.byteOffset];
        if (withX) call["takeWithX"](at, at + 4 * from.n, ...places, numbersAt + 32, ...ofX);
        else call["takeFrom"](at, at + 4 * from.n, ...places, numbersAt + 32);
      }
      to.n = keptBytes[0] / 4;
    },
    normalize({ n, rates, normalized }, factor) {
      if (n === 0) return;
      numbers[0] = factor;
      const at = rates.byteOffset;
      call["normalize"](at, at + 4 * n, normalized.byteOffset, numbersAt, logsAt);
    },
    round({ byteOffset }, n) {
      if (n > 0) call["round"](byteOffset, byteOffset + 4 * n);
    },
  };
}

function wordOfFloat(value: number): number {
  return new Int32Array(Float32Array.of(value).buffer)[0];
}

/** For each of the sixteen ways to keep four words: positions of the bytes of the kept words, packed together. */
function packs(): Uint8Array {
  const places = new Uint8Array(16 * VECTOR);
  for (let mask = 0; mask < 16; mask++) {
    const kept = [0, 1, 2, 3].filter((word) => (mask >> word) & 1);
    const bytes = kept.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte));
    places.set(bytes, VECTOR * mask);
  }
  return places;
}

/** Sums every fourth value into four doubles. Parameters: start and end of the values, and the output. */
const sumFloats: SimdFunction = simdFunction("sum", 3, ([at, end, to], { vector }): Code => {
  const [first, second] = [vector(), vector()];
  return [
    ...first.set(ZERO),
    ...second.set(ZERO),
    ...repeatWhile(isLess(at.get, end.get), [
      ...first.set(add(first.get, loadFloats(at.get))),
      ...second.set(add(second.get, loadFloats(at.get, 8))),
      ...at.set(plus(at.get, int(16))),
    ]),
    ...store(to.get, first.get),
    ...store(to.get, second.get, 16),
  ];
});

/**
 * Packs the words that are not less than the second number at `numbers`, each with its index. The first number receives
 * the number of bytes kept.
 */
const takeRowCode: SimdFunction = simdFunction(
  "takeRow",
  5,
  ([at, end, rates, indices, numbers], { vector, number }): Code => {
    const [values, places, least, pack] = [vector(), vector(), vector(), vector()];
    const [mask, kept] = [number(), number()];
    return [
      ...least.set(wordTimes4(load32(plus(numbers.get, int(4))))),
      ...places.set(words(0, 1, 2, 3)),
      ...kept.set(int(0)),
      ...repeatWhile(isLess(at.get, end.get), [
        ...values.set(load(at.get)),
        ...mask.set(highestBits(areNotLess(values.get, least.get))),
        ...when(
          mask.get,
          [
            ...pack.set(load(shifted(mask.get, 4))),
            ...store(plus(rates.get, kept.get), bytesAt(values.get, pack.get)),
            ...store(plus(indices.get, kept.get), bytesAt(places.get, pack.get)),
            ...kept.set(plus(kept.get, shifted(setBits(mask.get), 2))),
          ],
          [],
        ),
        ...places.set(addWords(places.get, words(4, 4, 4, 4))),
        ...at.set(plus(at.get, int(16))),
      ]),
      ...store32(numbers.get, kept.get),
    ];
  },
);

/** The same for words whose indices are given, with X if wanted. */
function takeFromCode(name: string, withX: boolean): SimdFunction {
  return simdFunction(name, withX ? 8 : 6, (params, { vector, number }): Code => {
    const [at, end, places, rates, indices, numbers, x, toX] = params;
    const [values, least, pack] = [vector(), vector(), vector()];
    const [mask, kept] = [number(), number()];
    const packed = (to: Code, taken: Code): Code =>
      store(plus(to, kept.get), bytesAt(taken, pack.get));
    return [
      ...least.set(wordTimes4(load32(plus(numbers.get, int(4))))),
      ...kept.set(int(0)),
      ...repeatWhile(isLess(at.get, end.get), [
        ...values.set(load(at.get)),
        ...mask.set(highestBits(areNotLess(values.get, least.get))),
        ...pack.set(load(shifted(mask.get, 4))),
        ...packed(rates.get, values.get),
        ...packed(indices.get, load(places.get)),
        ...(withX ? packed(toX!.get, load(x!.get)) : []),
        ...kept.set(plus(kept.get, shifted(setBits(mask.get), 2))),
        ...places.set(plus(places.get, int(16))),
        ...(withX ? x!.set(plus(x!.get, int(16))) : []),
        ...at.set(plus(at.get, int(16))),
      ]),
      ...store32(numbers.get, kept.get),
    ];
  });
}

/**
 * log1p of values times a factor, two at a time. The last parameters are the addresses of the factor and of the table
 * of logarithms.
 */
const normalizeCode: SimdFunction = simdFunction(
  "normalize",
  5,
  ([at, end, to, numbers, table], local): Code => {
    const [x, factor] = [local.vector(), local.vector()];
    return [
      ...factor.set(loadTwice(numbers.get)),
      ...repeatWhile(isLess(at.get, end.get), [
        ...x.set(multiply(loadFloats(at.get), factor.get)),
        ...log1pCode(x, table.get, local),
        ...storeFloats(to.get, x.get),
        ...to.set(plus(to.get, int(8))),
        ...at.set(plus(at.get, int(8))),
      ]),
    ];
  },
);

const roundCode: SimdFunction = simdFunction("round", 2, ([at, end], { vector }): Code => {
  const value = vector();
  const { droppedBits, half } = ROUNDING;
  const bits = int(droppedBits);
  const last = wordsAnd(wordsUnshifted(value.get, bits), words(1, 1, 1, 1));
  return [
    ...repeatWhile(isLess(at.get, end.get), [
      ...value.set(load(at.get)),
      ...value.set(addWords(addWords(value.get, words(half, half, half, half)), last)),
      ...store(at.get, wordsShifted(wordsUnshifted(value.get, bits), bits)),
      ...at.set(plus(at.get, int(16))),
    ]),
  ];
});
