import { setImmediate } from "node:timers/promises";
import type { SchemaElement } from "hyparquet";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { throwIfCancelled } from "../../errors.ts";

/** Columns beside the geometry. The one named as index becomes the index of the GeoDataFrame. */
export interface ShapeColumn {
  name: string;
  type: "int32" | "float64" | "string";
  valueOf(row: number): number | string;
}

export interface Shapes {
  kind: "Polygon" | "Point";
  nRows: number;
  /** Closed ring of a polygon, or x and y of a point. */
  geometryOf(row: number): Float64Array;
  index: ShapeColumn;
  columns: readonly ShapeColumn[];
  /** Coordinate reference system as PROJJSON; none where the container says what the coordinates are. */
  crs?: object;
}

/** Rows a row group. */
const GROUP = 20_000;

const ELEMENTS = {
  int32: { type: "INT32" },
  float64: { type: "DOUBLE" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8" },
} as const;
const PANDAS = { int32: "int32", float64: "float64", string: "unicode" } as const;

/**
 * Writes a GeoParquet 1.1 file (geometry as well-known binary) that GeoPandas opens with
 * its index restored. Streams; memory is that of 20,000 shapes.
 */
export async function writeGeoParquet(
  path: string,
  shapes: Shapes,
  signal: AbortSignal,
): Promise<void> {
  const { kind, nRows, geometryOf, index, columns, crs = null } = shapes;
  const all = [...columns, index];
  const schema: SchemaElement[] = [
    { name: "schema", num_children: 1 + all.length },
    { name: "geometry", type: "BYTE_ARRAY", repetition_type: "REQUIRED" },
    ...all.map(({ name, type }): SchemaElement => ({
      name,
      ...ELEMENTS[type],
      repetition_type: "REQUIRED",
    })),
  ];
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (let row = 0; row < nRows; row++) {
    const xy = geometryOf(row);
    for (let p = 0; p < xy.length; p += 2) {
      bounds[0] = Math.min(bounds[0], xy[p]);
      bounds[1] = Math.min(bounds[1], xy[p + 1]);
      bounds[2] = Math.max(bounds[2], xy[p]);
      bounds[3] = Math.max(bounds[3], xy[p + 1]);
    }
  }
  const geo = {
    version: "1.1.0",
    primary_column: "geometry",
    columns: {
      geometry: {
        encoding: "WKB",
        crs,
        geometry_types: [kind],
        ...(nRows > 0 && { bbox: bounds }),
      },
    },
  };
  const writer = fileWriter(path);
  const parquet = new ParquetWriter({
    writer,
    schema,
    statistics: false,
    kvMetadata: [
      { key: "geo", value: JSON.stringify(geo) },
      { key: "pandas", value: JSON.stringify(pandasMetadata(index, all)) },
    ],
  });
  for (let from = 0; from < nRows; from += GROUP) {
    const rows = Array.from({ length: Math.min(GROUP, nRows - from) }, (_, i) => from + i);
    await parquet.write({
      columnData: [
        {
          name: "geometry",
          data: rows.map((row) => wellKnownBinary(kind, geometryOf(row))),
          encoding: "PLAIN",
        },
        ...all.map(({ name, type, valueOf }) => ({
          name,
          data:
            type === "int32"
              ? Int32Array.from(rows, (row) => valueOf(row) as number)
              : rows.map(valueOf),
        })),
      ],
      rowGroupSize: GROUP,
    });
    await setImmediate();
    throwIfCancelled(signal);
  }
  await parquet.finish();
}

function pandasMetadata(index: ShapeColumn, columns: readonly ShapeColumn[]): object {
  return {
    index_columns: [index.name],
    column_indexes: [],
    columns: [
      {
        name: "geometry",
        field_name: "geometry",
        pandas_type: "bytes",
        numpy_type: "object",
        metadata: null,
      },
      ...columns.map(({ name, type }) => ({
        name,
        field_name: name,
        pandas_type: PANDAS[type],
        numpy_type: type === "string" ? "object" : type,
        metadata: null,
      })),
    ],
    creator: { library: "stipple", version: "1" },
    pandas_version: "2.0.0",
  };
}

/** Little-endian WKB of a point, or of a polygon with one ring. */
function wellKnownBinary(kind: Shapes["kind"], xy: Float64Array): Uint8Array {
  const head = kind === "Point" ? 5 : 13;
  const bytes = new Uint8Array(head + 8 * xy.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, kind === "Point" ? 1 : 3, true);
  if (kind === "Polygon") {
    view.setUint32(5, 1, true);
    view.setUint32(9, xy.length / 2, true);
  }
  for (let i = 0; i < xy.length; i++) view.setFloat64(head + 8 * i, xy[i], true);
  return bytes;
}
