import { csvText } from "@stipple/contract/csv";
import type { CellProteins } from "../../model/cell-proteins.ts";
import { writeGzipPieces } from "../write-lines.ts";

/** One line per cell, one column per protein; empty where no spot is within reach. */
export function writeProteins(
  path: string,
  proteins: CellProteins,
  nCells: number,
  nameOf: (cell: number) => string,
  signal: AbortSignal,
): Promise<void> {
  return writeGzipPieces(path, lines(proteins, nCells, nameOf), signal);
}

function* lines(
  proteins: CellProteins,
  nCells: number,
  nameOf: (cell: number) => string,
): Generator<string> {
  yield `cell,${proteins.names.map(csvText).join()}\n`;
  for (let cell = 0; cell < nCells; cell++) {
    const values = Array.from(proteins.row(cell), (value) =>
      Number.isNaN(value) ? "" : Number(value.toPrecision(5)),
    );
    yield `${nameOf(cell)},${values.join()}\n`;
  }
}
