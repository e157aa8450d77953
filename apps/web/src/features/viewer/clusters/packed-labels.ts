import { base64OfBytes, bytesOfBase64 } from "../selection/base64.ts";
import { deflated, inflated } from "../selection/groups-json.ts";

/** Groups of cells as base64 of deflated little-endian uint16, one per cell (all browsers' platforms are little-endian). */
export async function packedLabels(labels: Uint16Array<ArrayBuffer>): Promise<string> {
  return base64OfBytes(
    await deflated(new Uint8Array(labels.buffer, labels.byteOffset, labels.byteLength)),
  );
}

/** What `packedLabels` wrote. Rejects if the text is something else, or of another number of cells. */
export async function unpackedLabels(
  text: string,
  nCells: number,
): Promise<Uint16Array<ArrayBuffer>> {
  const bytes = await inflated(bytesOfBase64(text), 2 * nCells);
  if (bytes.length !== 2 * nCells) throw new RangeError(`Not the groups of ${nCells} cells.`);
  return new Uint16Array(Uint8Array.from(bytes).buffer);
}
