import { sixDigits, writeTable, tableLines, type Cell } from "./table.ts";
import type { CellProteins } from "../../model/cell-proteins.ts";
import { writeGzipPieces } from "../write-lines.ts";

/** How closely an antibody that was counted follows a channel of the fluorescence image. */
export interface ProteinChannel {
  protein: string;
  channel: string;
  /** Spots with cells. */
  spots: number;
  /** Pearson correlation over those spots; NaN if one of the two doesn't vary. */
  r: number;
}

/** One line per protein and channel; an empty correlation where one of them doesn't vary. */
export function writeProteinChannels(
  path: string,
  pairs: readonly ProteinChannel[],
): Promise<void> {
  const rows = pairs.map(({ protein, channel, spots, r }) => [
    protein,
    channel,
    spots,
    sixDigits(r),
  ]);
  return writeTable(path, ["protein", "channel", "spots", "correlation"], rows);
}

/** One line per cell, one column per protein; empty where no spot is within reach. */
export function writeProteins(
  path: string,
  proteins: CellProteins,
  nCells: number,
  nameOf: (cell: number) => string,
  signal: AbortSignal,
): Promise<void> {
  const rows = function* (): Generator<Cell[]> {
    const columns = proteins.names.map((_, protein) => proteins.column(protein));
    for (let cell = 0; cell < nCells; cell++) {
      yield [nameOf(cell), ...columns.map((values) => Number(values[cell].toPrecision(5)))];
    }
  };
  return writeGzipPieces(path, tableLines(["cell", ...proteins.names], rows()), signal);
}
