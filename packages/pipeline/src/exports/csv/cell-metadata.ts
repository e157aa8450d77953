import type { Matrix } from "../../fields.ts";
import { cellName } from "../cell-names.ts";
import { writePieces } from "../write-lines.ts";

export interface CellTable {
  xy: Matrix;
  typeOf: Int32Array;
  typeNames: readonly string[];
  clusterOf: Int32Array;
  confidence: Float32Array;
  observed: Uint8Array;
  areaUm2: Float32Array;
  spotOf: Int32Array;
  barcodes: readonly string[];
}

/** One line a cell: index, x, y (full-resolution pixels), cell_type, spot_id, cluster, confidence, observed, area_um2. */
export function writeCellMetadata(
  path: string,
  cells: CellTable,
  signal: AbortSignal,
): Promise<void> {
  return writePieces(path, lines(cells), signal);
}

function* lines(cells: CellTable): Generator<string> {
  yield "index,x,y,cell_type,spot_id,cluster,confidence,observed,area_um2\n";
  for (let cell = 0; cell < cells.xy.nRows; cell++) {
    const fields = [
      cellName(cell),
      decimal(cells.xy.data[2 * cell], 2),
      decimal(cells.xy.data[2 * cell + 1], 2),
      csvText(cells.typeNames[cells.typeOf[cell]] ?? ""),
      cells.barcodes[cells.spotOf[cell]] ?? "",
      cells.clusterOf[cell] < 0 ? "" : String(cells.clusterOf[cell]),
      decimal(cells.confidence[cell], 4),
      cells.observed[cell] ? "True" : "False",
      decimal(cells.areaUm2[cell], 2),
    ];
    yield `${fields.join()}\n`;
  }
}

/** A number with at most `digits` decimals; empty when it is not finite. */
export function decimal(value: number, digits: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(digits))) : "";
}

/** A text as a CSV field (RFC 4180). */
export function csvText(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
