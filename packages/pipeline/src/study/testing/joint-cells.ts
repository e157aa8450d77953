import { writeFile } from "node:fs/promises";
import { parquetWriteBuffer } from "hyparquet-writer";
import { cellName } from "../../exports/cell-names.ts";

/**
 * Writes the table of a joint space with the first cells of some samples: cell i lies at (i, s) before and at (−i, s) after
 * correction, s being its sample's place, and its joint cluster is 0 or 1 by turns.
 */
export async function writeJointCells(
  path: string,
  cells: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = Object.entries(cells).flatMap(([sample, n], s) =>
    Array.from({ length: n }, (_, cell) => ({ sample, cell, s })),
  );
  const numbers = (of: (row: (typeof rows)[number]) => number): Float32Array =>
    Float32Array.from(rows, of);
  const table = parquetWriteBuffer({
    columnData: [
      { name: "sample", data: rows.map(({ sample }) => sample), type: "STRING" },
      { name: "cell", data: rows.map(({ cell }) => cellName(cell)), type: "STRING" },
      { name: "umap_1", data: numbers(({ cell }) => cell), type: "FLOAT" },
      { name: "umap_2", data: numbers(({ s }) => s), type: "FLOAT" },
      { name: "corrected_umap_1", data: numbers(({ cell }) => -cell), type: "FLOAT" },
      { name: "corrected_umap_2", data: numbers(({ s }) => s), type: "FLOAT" },
      { name: "cluster", data: Int32Array.from(rows, ({ cell }) => cell % 2), type: "INT32" },
    ],
  });
  await writeFile(path, new Uint8Array(table));
}
