/** Some of the cells: one bit a cell (lowest bit of the first byte first) and how many there are. Never changed once made. */
export interface CellSet {
  readonly bits: Uint8Array;
  readonly count: number;
}

/** The cells for which `within` holds. O(nCells). */
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

export function hasCell({ bits }: CellSet, cell: number): boolean {
  return ((bits[cell >> 3]! >> (cell & 7)) & 1) === 1;
}

/** Every cell of the set, ascending. */
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
