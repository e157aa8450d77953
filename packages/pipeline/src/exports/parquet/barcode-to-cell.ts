import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { pause } from "../../engine/pause.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { cellName } from "../cell-names.ts";

/** Rows per row group. */
const GROUP = 100_000;

/**
 * Which barcode captures RNA of which cell, one row per pair: barcode, cell, cell_id, captured (how much of the cell's
 * RNA, from under the spot or bin or diffused), and main (whether the barcode is the cell's spot_id). `captures` is
 * spots × cells. Streams; memory is that of 100,000 pairs.
 */
export async function writeBarcodeToCell(
  path: string,
  barcodes: readonly string[],
  captures: SparseMatrix,
  spotOf: Int32Array,
  signal: AbortSignal,
): Promise<void> {
  const parquet = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "schema", num_children: 5 },
      { name: "barcode", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
      { name: "cell", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
      { name: "cell_id", type: "INT32", repetition_type: "REQUIRED" },
      { name: "captured", type: "FLOAT", repetition_type: "REQUIRED" },
      { name: "main", type: "BOOLEAN", repetition_type: "REQUIRED" },
    ],
    statistics: false,
  });
  const { indptr, indices, data } = captures;
  let spot = 0;
  for (let from = 0; from < indices.length; from += GROUP) {
    const to = Math.min(indices.length, from + GROUP);
    const spots = new Uint32Array(to - from);
    for (let k = from; k < to; k++) {
      while (indptr[spot + 1] <= k) spot++;
      spots[k - from] = spot;
    }
    const cells = indices.subarray(from, to);
    await parquet.write({
      columnData: [
        { name: "barcode", data: encodedOnce(spots, (spot) => barcodes[spot]) },
        { name: "cell", data: encodedOnce(cells, cellName) },
        { name: "cell_id", data: Int32Array.from(cells, (cell) => cell + 1) },
        { name: "captured", data: data.subarray(from, to) },
        { name: "main", data: Array.from(cells, (cell, i) => spotOf[cell] === spots[i]) },
      ],
      rowGroupSize: GROUP,
    });
    await pause(signal);
  }
  await parquet.finish();
}

/** Texts by number, each encoded once: the library would create an encoder for every value. */
function encodedOnce(numbers: Uint32Array, textOf: (of: number) => string): Uint8Array[] {
  const known = new Map<number, Uint8Array>();
  return Array.from(numbers, (of) => {
    const before = known.get(of);
    if (before) return before;
    const encoded = Buffer.from(textOf(of));
    known.set(of, encoded);
    return encoded;
  });
}
