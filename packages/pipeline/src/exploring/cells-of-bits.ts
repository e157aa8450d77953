import { InputError } from "../errors.ts";

/**
 * The cells of a set with one bit per cell, lowest bit of the first byte first, ascending; null = all. Throws
 * InputError if the set does not fit the sample or has fewer than `least` cells.
 */
export function cellsOfBits(
  bits: Uint8Array | null,
  nCells: number,
  least: number,
): Uint32Array<ArrayBuffer> {
  const all = Uint32Array.from({ length: nCells }, (_, cell) => cell);
  const cells = bits ? all.filter(isInside(checked(bits, nCells))) : all;
  if (cells.length === 0 && nCells > 0) {
    throw new InputError(`The set of cells is empty: choose at least ${least} cells.`);
  }
  if (cells.length < least) {
    throw new InputError(
      `The set has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}; clusters need at least ${least}: choose more cells.`,
    );
  }
  return cells;
}

function isInside(bits: Uint8Array): (cell: number) => boolean {
  return (cell) => ((bits[cell >> 3] >> (cell & 7)) & 1) === 1;
}

function checked(bits: Uint8Array, nCells: number): Uint8Array {
  const bytes = Math.ceil(nCells / 8);
  if (bits.length !== bytes) {
    throw new InputError(
      `The set of cells has ${bits.length} bytes; with one bit for each of the ${nCells} cells, it must have ${bytes}.`,
    );
  }
  if (nCells % 8 > 0 && bits[bytes - 1] >> (nCells % 8) > 0) {
    throw new InputError(`The set of cells refers to cells beyond the sample's ${nCells}.`);
  }
  return bits;
}
