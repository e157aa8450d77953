import { InputError } from "../../errors.ts";
import type { Positions } from "../../readers/visium/read-positions.ts";

/**
 * Which barcodes of a matrix are spots to analyse: those with a position in tissue. Barcodes without a position are
 * left out with a warning. Throws {@link InputError} when nothing matches or nothing is in tissue.
 */
export function matchSpots(
  barcodes: readonly string[],
  positions: Positions,
  names: { positions: string; matrix: string },
  warn: (message: string) => void,
): { keep: Uint8Array; positionOf: Map<string, number> } {
  const positionOf = new Map(positions.barcode.map((barcode, i) => [barcode, i]));
  const seen = new Set<string>();
  const keep = new Uint8Array(barcodes.length);
  let [without, outside, kept] = [0, 0, 0];
  barcodes.forEach((barcode, i) => {
    if (seen.has(barcode)) {
      throw new InputError(
        `${names.matrix} lists the barcode ${barcode} twice: take the file as Space Ranger wrote it.`,
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
      `No barcode of ${names.matrix} (such as ${barcodes[0]}) has a position in ${names.positions} (such as ${positions.barcode[0]}): the files are of different samples or bin sizes; take both from one Space Ranger folder.`,
      { file: names.positions },
    );
  }
  if (kept === 0) {
    throw new InputError(
      `${names.positions} marks none of the spots as in tissue (in_tissue is 0 for all ${outside}): check the tissue detection.`,
      { file: names.positions },
    );
  }
  if (without > 0) {
    warn(
      `${without} of ${barcodes.length} barcodes of ${names.matrix} have no position in ${names.positions} and were left out.`,
    );
  }
  return { keep, positionOf };
}
