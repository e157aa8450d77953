/**
 * What a set of cells was chosen by: its place in the tissue, how well it was measured, or, in words of its own, its
 * expression ("type:3", a region of the UMAP).
 */
export type Criterion = "place" | "quality" | `expression ${string}`;

/**
 * A subset of the cells: one bit per cell (lowest bit of the first byte first) and the number of cells. Immutable.
 */
export interface CellSet {
  readonly bits: Uint8Array;
  readonly count: number;
  /** Undefined if it is not known, empty if the set was not narrowed by anything. */
  readonly chosenBy?: readonly Criterion[];
}

/** The cells that satisfy `within`. O(nCells). */
export function cellSet(nCells: number, within: (cell: number) => boolean): CellSet {
  const bits = new Uint8Array(Math.ceil(nCells / 8));
  let count = 0;
  for (let cell = 0; cell < nCells; cell++) {
    if (!within(cell)) continue;
    bits[cell >> 3]! |= 1 << (cell & 7);
    count += 1;
  }
  return { bits, count };
}

/** The set of the listed cells, each listed once. O(listed). */
export function cellSetOf(cells: Uint32Array, nCells: number): CellSet {
  const bits = new Uint8Array(Math.ceil(nCells / 8));
  for (const cell of cells) bits[cell >> 3]! |= 1 << (cell & 7);
  return { bits, count: cells.length };
}

export function hasCell({ bits }: CellSet, cell: number): boolean {
  return ((bits[cell >> 3]! >> (cell & 7)) & 1) === 1;
}

/** All cells in the set, ascending. */
export function cellsOf({ bits, count }: CellSet): Uint32Array {
  const cells = new Uint32Array(count);
  let at = 0;
  for (let byte = 0; byte < bits.length; byte++) {
    for (let rest = bits[byte]!; rest !== 0; rest &= rest - 1) {
      cells[at++] = 8 * byte + (31 - Math.clz32(rest & -rest));
    }
  }
  return cells;
}

export function sameCells(a: CellSet, b: CellSet): boolean {
  return a.count === b.count && a.bits.every((byte, at) => byte === b.bits[at]);
}

/** The cells in either of two sets over the same cells. */
export function union(a: CellSet, b: CellSet): CellSet {
  return combined(a, b, (left, right) => left | right);
}

/** The cells in both sets. */
export function intersection(a: CellSet, b: CellSet): CellSet {
  return combined(a, b, (left, right) => left & right);
}

/** The cells in `a` but not in `b`. */
export function difference(a: CellSet, b: CellSet): CellSet {
  return combined(a, b, (left, right) => left & ~right);
}

/** A set from serialized bits; bits beyond `nCells` are dropped. Throws if the number of bytes does not match. */
export function cellSetOfBits(bits: Uint8Array, nCells: number): CellSet {
  if (bits.length !== Math.ceil(nCells / 8)) {
    throw new RangeError(`${bits.length} bytes do not hold one bit for each of ${nCells} cells.`);
  }
  const kept = bits.slice();
  if (nCells % 8 !== 0) kept[kept.length - 1]! &= (1 << (nCells % 8)) - 1;
  return { bits: kept, count: ones(kept) };
}

function combined(a: CellSet, b: CellSet, join: (left: number, right: number) => number): CellSet {
  const bits = new Uint8Array(a.bits.length);
  for (let byte = 0; byte < bits.length; byte++) bits[byte] = join(a.bits[byte]!, b.bits[byte]!);
  const chosenBy = a.chosenBy && b.chosenBy && [...new Set([...a.chosenBy, ...b.chosenBy])].sort();
  return { bits, count: ones(bits), ...(chosenBy && { chosenBy }) };
}

function ones(bits: Uint8Array): number {
  let count = 0;
  for (const byte of bits) {
    let rest = byte;
    rest -= (rest >> 1) & 0x55;
    rest = (rest & 0x33) + ((rest >> 2) & 0x33);
    count += (rest + (rest >> 4)) & 0x0f;
  }
  return count;
}
