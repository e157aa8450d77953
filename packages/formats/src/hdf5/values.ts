import { HDF5Error, type Dataset } from "./library.ts";

/** HDF5's classes of types. */
const [INTEGER, FLOAT, STRING, ENUM] = [0, 1, 3, 8];

export type Numbers = ArrayLike<number> | BigInt64Array | BigUint64Array;

/**
 * The numbers of a dataset, or of a part of it (`start` ≤ i < `end` in each dimension; an empty range is a whole
 * dimension), row by row. Throws {@link HDF5Error} if they are not numbers, or not as many.
 */
export function numbersOf(dataset: Dataset, ranges?: ([number, number] | [])[]): Numbers {
  if (!holdsNumbers(dataset)) throw new HDF5Error(`${dataset.path}: no numbers`);
  const value: unknown = ranges ? dataset.slice(ranges) : dataset.value;
  requireLength(dataset, value, lengthOf(dataset.metadata.shape ?? [], ranges));
  return value as Numbers;
}

/** The texts of a one-dimensional dataset, or of a part of it. Throws {@link HDF5Error} for anything else. */
export function textsOf(dataset: Dataset, range?: [number, number]): string[] {
  const { type, shape } = dataset.metadata;
  if (type !== STRING) throw new HDF5Error(`${dataset.path}: no texts`);
  const ranges = range && [range];
  const value: unknown = ranges ? dataset.slice(ranges) : dataset.value;
  requireLength(dataset, value, lengthOf(shape ?? [], ranges));
  return value as string[];
}

/** Whether a dataset holds texts. */
export function holdsTexts({ metadata }: Dataset): boolean {
  return metadata.type === STRING;
}

/** Whether a dataset holds numbers that can be read: not floats of 16 or 128 bits, which h5wasm does not know. */
export function holdsNumbers({ metadata: { type, size } }: Dataset): boolean {
  if (type === FLOAT) return size === 4 || size === 8;
  return (type === INTEGER || type === ENUM) && [1, 2, 4, 8].includes(size);
}

function lengthOf(shape: readonly number[], ranges: ([number, number] | [])[] = []): number {
  return shape.reduce((product, whole, axis) => {
    const [start, end] = ranges[axis] ?? [];
    return product * (start === undefined ? whole : end! - start);
  }, 1);
}

function requireLength(dataset: Dataset, value: unknown, length: number): void {
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  if (isList && (value as ArrayLike<unknown>).length === length) return;
  // A single value without dimensions is no list.
  if (!isList && value !== null && length === 1 && dataset.shape?.length === 0) return;
  throw new HDF5Error(`${dataset.path}: not ${length} values`);
}
