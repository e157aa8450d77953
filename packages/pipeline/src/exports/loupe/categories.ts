import type { SparseMatrix } from "@stipple/numerics/matrices";
import { writeTable } from "../csv/table.ts";

/** Barcodes with one category each, as Loupe Browser imports them. Rows without a category are left out. */
export function writeLoupeCategories(
  path: string,
  category: string,
  rows: readonly (readonly [barcode: string, value: string | null])[],
): Promise<void> {
  const known = rows.flatMap(([barcode, value]) => (value === null ? [] : [[barcode, value]]));
  return writeTable(path, ["Barcode", category], known);
}

/** Barcode that Space Ranger 4 assigns to cell n (from 0) of a custom segmentation. */
export function segmentedCellBarcode(cell: number): string {
  return `cellid_${String(cell + 1).padStart(9, "0")}-1`;
}

/**
 * The type of whose cells each spot captures most (`captures`: spots × cells); −1 for a spot that captures none. A
 * small bin lies in a cell whose main bin is another: only the shares captured say what it holds. Ties go to the type
 * listed first.
 */
export function mostCommonTypes(
  typeOf: Int32Array,
  { nRows, indptr, indices, data }: SparseMatrix,
  nTypes: number,
): Int32Array {
  return Int32Array.from({ length: nRows }, (_, spot) => {
    const captured = new Float64Array(nTypes);
    for (let k = indptr[spot]; k < indptr[spot + 1]; k++) {
      const type = typeOf[indices[k]];
      if (type >= 0) captured[type] += data[k];
    }
    const most = Math.max(...captured);
    return most > 0 ? captured.indexOf(most) : -1;
  });
}
