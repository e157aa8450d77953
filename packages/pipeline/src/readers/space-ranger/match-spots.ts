import { InputError } from "../../errors.ts";
import type { Positions } from "../sample.ts";

/** Names of the files whose barcodes are matched. */
interface MatchedFiles {
  positions: string;
  matrix: string;
}

/** Barcode without its library number ("-1"), which some tools drop or increment. */
function withoutLibrary(barcode: string): string {
  return barcode.replace(/-\d+$/, "");
}

/** Row of each barcode in the positions; matched without library numbers if these differ throughout. */
function rowsByBarcode(
  barcodes: readonly string[],
  positions: Positions,
): { rowOf: Map<string, number>; bare: boolean } {
  const exact = new Map(positions.barcode.map((barcode, i) => [barcode, i]));
  if (barcodes.some((barcode) => exact.has(barcode))) return { rowOf: exact, bare: false };
  const byBare = new Map(positions.barcode.map((barcode, i) => [withoutLibrary(barcode), i]));
  const unique =
    byBare.size === positions.barcode.length &&
    new Set(barcodes.map(withoutLibrary)).size === barcodes.length;
  if (!unique) return { rowOf: exact, bare: false };
  const rowOf = new Map<string, number>();
  for (const barcode of barcodes) {
    const row = byBare.get(withoutLibrary(barcode));
    if (row !== undefined) rowOf.set(barcode, row);
  }
  return { rowOf, bare: rowOf.size > 0 };
}

/**
 * Selects the barcodes of a matrix that are spots to analyze: those with a position in tissue. Barcodes without
 * a position are left out with a warning. Throws {@link InputError} if nothing matches or nothing is in tissue.
 */
export function matchSpots(
  barcodes: readonly string[],
  positions: Positions,
  names: MatchedFiles,
  warn: (message: string) => void,
  /** Explains why no barcode of the counts is among the positions, if the first barcode of each reveals it. */
  explain?: (counted: string, placed: string, names: MatchedFiles) => string | null,
): { keep: Uint8Array; positionOf: Map<string, number> } {
  const { rowOf: positionOf, bare } = rowsByBarcode(barcodes, positions);
  const seen = new Set<string>();
  const keep = new Uint8Array(barcodes.length);
  let [without, outside, kept] = [0, 0, 0];
  barcodes.forEach((barcode, i) => {
    if (seen.has(barcode)) {
      throw new InputError(
        `${names.matrix} lists the barcode ${barcode} twice: use the original Space Ranger file.`,
        { file: names.matrix },
      );
    }
    seen.add(barcode);
    const position = positionOf.get(barcode);
    if (position === undefined) without++;
    else if (positions.inTissue[position] === 0) outside++;
    else kept += keep[i] = 1;
  });
  if (without === barcodes.length) {
    throw new InputError(
      explain?.(barcodes[0], positions.barcode[0], names) ??
        `No barcode in ${names.matrix} (such as ${barcodes[0]}) has a position in ${names.positions} (such as ${positions.barcode[0]}): the files are from different samples or bin sizes; take both from one Space Ranger folder.`,
      { file: names.positions },
    );
  }
  if (kept === 0) {
    throw new InputError(
      `${names.positions} marks no spots as in tissue (in_tissue is 0 for all ${outside}): check the tissue detection.`,
      { file: names.positions },
    );
  }
  if (bare) {
    warn(
      `The barcodes in ${names.matrix} (such as ${barcodes[0]}) and ${names.positions} (such as ${positions.barcode[0]}) differ in the suffix after the dash, which was ignored.`,
    );
  }
  if (without > 0) {
    warn(
      `${without} of ${barcodes.length} barcodes in ${names.matrix} have no position in ${names.positions} and were dropped.`,
    );
  }
  return { keep, positionOf };
}
