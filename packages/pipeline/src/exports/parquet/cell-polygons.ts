import { cellName } from "../cell-names.ts";
import { cellRing, hasNucleus, nucleusRing, type Outlines } from "../rings.ts";
import { writeGeoParquet, type ShapeColumn } from "@stipple/formats/parquet/geoparquet";

export interface PolygonCells extends Outlines {
  micronsPerPixel: number;
  typeOf: Int32Array;
  typeNames: readonly string[];
  clusterOf: Int32Array;
  confidence: Float32Array;
}

/** The plane of the slide: µm from the image's upper left corner, y down. */
const SLIDE_PLANE = {
  $schema: "https://proj.org/schemas/v0.7/projjson.schema.json",
  type: "EngineeringCRS",
  name: "Slide, micrometers from the image's upper left corner",
  datum: { type: "EngineeringDatum", name: "Upper left corner of the full-resolution image" },
  coordinate_system: {
    subtype: "Cartesian",
    axis: [
      { name: "x", abbreviation: "x", direction: "east", unit: micrometers() },
      { name: "y", abbreviation: "y", direction: "south", unit: micrometers() },
    ],
  },
};

function micrometers(): object {
  return { type: "LinearUnit", name: "micrometre", conversion_factor: 1e-6 };
}

/** Outlines of cells (or of spots that stand in for them) as GeoParquet in µm, by name, with their types. */
export function writeCellPolygons(
  path: string,
  cells: PolygonCells,
  signal: AbortSignal,
): Promise<void> {
  const { typeNames, typeOf, clusterOf, confidence } = cells;
  return writePolygons(
    path,
    Uint32Array.from({ length: cells.xy.nRows }, (_, cell) => cell),
    (cell) => inMicrons(cellRing(cells, cell), cells),
    (cellOf) => [
      { name: "cell_id", type: "int32", valueOf: (row) => cellOf(row) + 1 },
      { name: "cell_type", type: "string", valueOf: (row) => typeNames[typeOf[cellOf(row)]] ?? "" },
      { name: "cluster", type: "int32", valueOf: (row) => clusterOf[cellOf(row)] },
      { name: "confidence", type: "float64", valueOf: (row) => confidence[cellOf(row)] },
    ],
    signal,
  );
}

/** Outlines of nuclei as GeoParquet in µm, by the name of their cell. */
export function writeNucleusPolygons(
  path: string,
  cells: PolygonCells,
  signal: AbortSignal,
): Promise<void> {
  const rows = Uint32Array.from({ length: cells.xy.nRows }, (_, cell) => cell).filter((cell) =>
    hasNucleus(cells, cell),
  );
  return writePolygons(
    path,
    rows,
    (cell) => inMicrons(nucleusRing(cells, cell)!, cells),
    (cellOf) => [{ name: "cell_id", type: "int32", valueOf: (row) => cellOf(row) + 1 }],
    signal,
  );
}

function writePolygons(
  path: string,
  rows: Uint32Array,
  ringOf: (cell: number) => Float64Array,
  columnsOf: (cellOf: (row: number) => number) => ShapeColumn[],
  signal: AbortSignal,
): Promise<void> {
  const cellOf = (row: number): number => rows[row];
  return writeGeoParquet(
    path,
    {
      kind: "Polygon",
      nRows: rows.length,
      geometryOf: (row) => ringOf(cellOf(row)),
      index: { name: "cell", type: "string", valueOf: (row) => cellName(cellOf(row)) },
      columns: columnsOf(cellOf),
      crs: SLIDE_PLANE,
    },
    signal,
  );
}

function inMicrons(ring: Float64Array, { micronsPerPixel }: PolygonCells): Float64Array {
  for (let i = 0; i < ring.length; i++) ring[i] *= micronsPerPixel;
  return ring;
}
