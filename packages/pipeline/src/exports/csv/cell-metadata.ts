import { CELL_EVIDENCE, IMAGE_QUALITIES } from "@stipple/contract";
import { csvText } from "@stipple/contract/csv";
import type { Matrix } from "@stipple/numerics/matrices";
import type { AnnotationColumns } from "../annotation-columns.ts";
import { cellName } from "../cell-names.ts";
import { REGION_COLUMN, type RegionColumns } from "../region-columns.ts";
import { writePieces } from "../write-lines.ts";

export interface CellTable {
  xy: Matrix;
  typeOf: Int32Array;
  typeNames: readonly string[];
  clusterOf: Int32Array;
  confidence: Float32Array;
  typeMargin: Float32Array;
  observed: Uint8Array;
  /** Index into CELL_EVIDENCE. */
  evidence: Uint8Array;
  /** Index into IMAGE_QUALITIES. */
  imageQuality: Uint8Array;
  /** Observed UMIs of each cell. */
  totalCounts: Float64Array;
  rateCv: Float32Array;
  areaUm2: Float32Array;
  spotOf: Int32Array;
  barcodes: readonly string[];
  /** Null if the user gave no regions. */
  regions: RegionColumns | null;
  /** Null if the user gave no annotations. */
  annotations: AnnotationColumns | null;
}

const COLUMNS =
  "index,x,y,cell_type,spot_id,cluster,confidence,type_margin,observed,total_counts,rate_cv,area_um2,evidence,image_quality";

/** One line per cell; x and y in full-resolution pixels; unknown values are empty. */
export function writeCellMetadata(
  path: string,
  cells: CellTable,
  signal: AbortSignal,
  nameOf: (cell: number) => string = cellName,
): Promise<void> {
  return writePieces(path, lines(cells, nameOf), signal);
}

function* lines(cells: CellTable, nameOf: (cell: number) => string): Generator<string> {
  const added = addedColumns(cells);
  yield `${[COLUMNS, ...added.map(({ column }) => csvText(column))].join()}\n`;
  for (let cell = 0; cell < cells.xy.nRows; cell++) {
    const fields = [
      nameOf(cell),
      decimal(cells.xy.data[2 * cell], 2),
      decimal(cells.xy.data[2 * cell + 1], 2),
      csvText(cells.typeNames[cells.typeOf[cell]] ?? ""),
      csvText(cells.barcodes[cells.spotOf[cell]] ?? ""),
      cells.clusterOf[cell] < 0 ? "" : String(cells.clusterOf[cell]),
      decimal(cells.confidence[cell], 4),
      decimal(cells.typeMargin[cell], 4),
      cells.observed[cell] ? "True" : "False",
      cells.totalCounts[cell],
      decimal(cells.rateCv[cell], 4),
      decimal(cells.areaUm2[cell], 2),
      CELL_EVIDENCE[cells.evidence[cell]],
      IMAGE_QUALITIES[cells.imageQuality[cell]],
      ...added.map(({ textOf }) => textOf(cell)),
    ];
    yield `${fields.join()}\n`;
  }
}

/** Columns of what the user added: regions and annotations. */
function addedColumns({
  regions,
  annotations,
}: CellTable): { column: string; textOf(cell: number): string }[] {
  const category = (column: string, codes: Int32Array, names: readonly string[]) => ({
    column,
    textOf: (cell: number) => csvText(names[codes[cell]] ?? ""),
  });
  return [
    ...(regions ? [category(REGION_COLUMN, regions.regionOf, regions.names)] : []),
    ...(regions?.distances ?? []).map(({ column, um }) => ({
      column,
      textOf: (cell: number) => decimal(um[cell], 2),
    })),
    ...(annotations?.categories ?? []).map(({ column, codes, names }) =>
      category(column, codes, names),
    ),
    ...(annotations?.groups ?? []).map(({ column, cells }) => ({
      column,
      textOf: (cell: number) => (cells[cell] ? "True" : "False"),
    })),
  ];
}

/** A number with at most `digits` decimals; empty if it is not finite. */
export function decimal(value: number, digits: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(digits))) : "";
}
