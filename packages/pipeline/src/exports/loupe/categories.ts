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
 * The most common type among the cells of each spot; −1 for a spot without cells. Ties go to the type listed first.
 */
export function commonestTypes(
  typeOf: Int32Array,
  spotOf: Int32Array,
  nSpots: number,
  nTypes: number,
): Int32Array {
  const counts = new Uint32Array(nSpots * nTypes);
  for (let cell = 0; cell < typeOf.length; cell++) {
    if (spotOf[cell] >= 0 && typeOf[cell] >= 0) counts[spotOf[cell] * nTypes + typeOf[cell]] += 1;
  }
  return Int32Array.from({ length: nSpots }, (_, spot) => {
    let best = -1;
    let most = 0;
    for (let type = 0; type < nTypes; type++) {
      const count = counts[spot * nTypes + type];
      if (count > most) [best, most] = [type, count];
    }
    return best;
  });
}
