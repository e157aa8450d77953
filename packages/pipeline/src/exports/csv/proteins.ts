import type { CellProteins } from "../../model/cell-proteins.ts";
import { writeGzipPieces } from "../write-lines.ts";
import { tableLines, type Cell } from "./table.ts";

/** One line per cell, one column per protein; empty where no spot is within reach. */
export function writeProteins(
  path: string,
  proteins: CellProteins,
  nCells: number,
  nameOf: (cell: number) => string,
  signal: AbortSignal,
): Promise<void> {
  const rows = function* (): Generator<Cell[]> {
    for (let cell = 0; cell < nCells; cell++) {
      yield [
        nameOf(cell),
        ...Array.from(proteins.row(cell), (value) => Number(value.toPrecision(5))),
      ];
    }
  };
  return writeGzipPieces(path, tableLines(["cell", ...proteins.names], rows()), signal);
}
