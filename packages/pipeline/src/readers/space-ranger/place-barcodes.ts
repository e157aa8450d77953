import type { Positions } from "../sample.ts";
import { affixesOf, partsOf } from "./barcode-parts.ts";

/** Which position each barcode of a matrix has. */
export interface Placing {
  /** Row in the positions. */
  rowOf: Map<string, number>;
  /** Number of barcodes without a position; spots that are off tissue and have no place are not counted. */
  without: number;
  /** How the barcodes differ from those of the positions, in words; null if they do not. */
  change: string | null;
}

/**
 * Matches barcodes to positions: as they are, else by their sequence (or bin) alone if each side has the same text
 * around all of its sequences, and not two different sample names. O(barcodes).
 */
export function placeBarcodes(barcodes: readonly string[], positions: Positions): Placing {
  const exact = placeBy((barcode) => barcode, barcodes, positions);
  if (exact.without === 0) return exact;
  const change = differenceOf(barcodes, positions.barcode);
  if (change === null) return exact;
  const coreOf = (barcode: string): string => partsOf(barcode)!.core;
  const cores = new Set(barcodes.map(coreOf));
  if (cores.size < new Set(barcodes).size) return exact;
  if (new Set(positions.barcode.map(coreOf)).size < positions.barcode.length) return exact;
  const byCore = placeBy(coreOf, barcodes, positions);
  return byCore.without < exact.without ? { ...byCore, change } : exact;
}

function placeBy(
  keyOf: (barcode: string) => string,
  barcodes: readonly string[],
  { barcode: placed, unplaced = new Set() }: Positions,
): Placing {
  const rowByKey = new Map(placed.map((barcode, row) => [keyOf(barcode), row]));
  const offTissue = new Set(Array.from(unplaced, keyOf));
  const rowOf = new Map<string, number>();
  let without = 0;
  for (const barcode of barcodes) {
    const row = rowByKey.get(keyOf(barcode));
    if (row !== undefined) rowOf.set(barcode, row);
    else if (!offTissue.has(keyOf(barcode))) without++;
  }
  return { rowOf, without, change: null };
}

/** How barcodes were changed, in words; null if they contain no sequences or carry names of different samples. */
function differenceOf(counted: readonly string[], placed: readonly string[]): string | null {
  const [ofCounts, ofPositions] = [affixesOf(counted), affixesOf(placed)];
  if (ofCounts?.length !== 1 || ofPositions?.length !== 1) return null;
  const [a, b] = [ofCounts[0], ofPositions[0]];
  const isNamed = (before: string): boolean => /[a-z0-9]/i.test(before);
  if (a.before !== b.before) {
    return isNamed(a.before) && isNamed(b.before) ? null : "in what is before the sequence";
  }
  if (a.after !== b.after) {
    return hasName(a.after) && hasName(b.after) ? null : "in what is after the sequence";
  }
  return "in the spelling of the sequence";
}

/** Whether a suffix contains more than numbers. */
function hasName(after: string): boolean {
  return /[a-z]/i.test(after);
}
