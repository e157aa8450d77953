import { CELL_EVIDENCE, IMAGE_QUALITIES } from "@stipple/contract";
import type { Matrix } from "@stipple/numerics/matrices";
import type { AnnotationColumns } from "../annotation-columns.ts";
import { cellName } from "../cell-names.ts";
import { REGION_COLUMN, type RegionColumns } from "../region-columns.ts";
import { rounded, writeTable, type Cell } from "./table.ts";

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

const COLUMNS = [
  ...[
    "index",
    "x",
    "y",
    "cell_type",
    "spot_id",
    "cluster",
    "confidence",
    "type_margin",
    "observed",
  ],
  ...["total_counts", "rate_cv", "area_um2", "evidence", "image_quality"],
];

/** One line per cell; x and y in full-resolution pixels; unknown values are empty. */
export function writeCellMetadata(
  path: string,
  cells: CellTable,
  signal: AbortSignal,
  nameOf: (cell: number) => string = cellName,
): Promise<void> {
  const added = addedColumns(cells);
  const head = [...COLUMNS, ...added.map(([column]) => column)];
  const rows = function* (): Generator<Cell[]> {
    for (let cell = 0; cell < cells.xy.nRows; cell++) {
      yield [
        nameOf(cell),
        rounded(cells.xy.data[2 * cell], 2),
        rounded(cells.xy.data[2 * cell + 1], 2),
        cells.typeNames[cells.typeOf[cell]] ?? "",
        cells.barcodes[cells.spotOf[cell]] ?? "",
        cells.clusterOf[cell] < 0 ? "" : cells.clusterOf[cell],
        rounded(cells.confidence[cell], 4),
        rounded(cells.typeMargin[cell], 4),
        cells.observed[cell] === 1,
        cells.totalCounts[cell],
        rounded(cells.rateCv[cell], 4),
        rounded(cells.areaUm2[cell], 2),
        CELL_EVIDENCE[cells.evidence[cell]],
        IMAGE_QUALITIES[cells.imageQuality[cell]],
        ...added.map(([, valueOf]) => valueOf(cell)),
      ];
    }
  };
  return writeTable(path, head, rows(), signal);
}

/** Columns of what the user added: regions and annotations. */
function addedColumns({
  regions,
  annotations,
}: CellTable): [column: string, valueOf: (cell: number) => Cell][] {
  const nameIn =
    (names: readonly string[], codes: Int32Array) =>
    (cell: number): Cell =>
      names[codes[cell]] ?? "";
  const { categories = [], groups = [] } = annotations ?? {};
  return [
    ...(regions ? [[REGION_COLUMN, nameIn(regions.names, regions.regionOf)] as const] : []),
    ...(regions?.distances ?? []).map(
      ({ column, um }) => [column, (cell: number) => rounded(um[cell], 2)] as const,
    ),
    ...categories.map(({ column, codes, names }) => [column, nameIn(names, codes)] as const),
    ...groups.map(({ column, cells }) => [column, (cell: number) => cells[cell] === 1] as const),
  ].map(([column, valueOf]) => [column, valueOf]);
}
