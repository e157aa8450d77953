import { setImmediate } from "node:timers/promises";
import type { SchemaElement } from "hyparquet";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { throwIfCancelled } from "@stipple/tasks/cancellation";

/** Columns besides the geometry. The one named as index becomes the index of the GeoDataFrame. */
export interface ShapeColumn {
  name: string;
  type: "int32" | "float64" | "string";
  valueOf(row: number): number | string;
}

export type Shapes = ShapeRows & (SimpleShapes | MultiPolygons);

interface ShapeRows {
  nRows: number;
  index: ShapeColumn;
  columns: readonly ShapeColumn[];
  /** Coordinate reference system as PROJJSON; absent if the container defines the coordinates. */
  crs?: object;
}

interface SimpleShapes {
  kind: "Polygon" | "Point";
  /** Closed ring of a polygon, or x and y of a point. */
  geometryOf(row: number): Float64Array;
}

interface MultiPolygons {
  kind: "MultiPolygon";
  /** Polygons of open rings, the first one outer. */
  polygonsOf(row: number): readonly (readonly Float64Array[])[];
}

/** Rows per row group. */
const GROUP = 20_000;

/** Approximate number of coordinates per shape. */
const USUAL_NUMBERS = 48;

const ELEMENTS = {
  int32: { type: "INT32" },
  float64: { type: "DOUBLE" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8" },
} as const;
const PANDAS = { int32: "int32", float64: "float64", string: "unicode" } as const;

/**
 * Writes a GeoParquet 1.1 file (geometry as well-known binary) that GeoPandas opens with its index restored. Streams;
 * memory is that of 20,000 shapes.
 */
export async function writeGeoParquet(
  path: string,
  shapes: Shapes,
  signal: AbortSignal,
): Promise<void> {
  const { kind, nRows, index, columns, crs = null } = shapes;
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
  // Known, and written, at the end.
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  const geo = (): object => ({
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
  });
  const kvMetadata = [{ key: "pandas", value: JSON.stringify(pandasMetadata(index, all)) }];
  const writer = fileWriter(path);
  const parquet = new ParquetWriter({
    writer,
    schema,
    statistics: false,
    kvMetadata,
  });
  for (let from = 0; from < nRows; from += GROUP) {
    const rows = Array.from({ length: Math.min(GROUP, nRows - from) }, (_, i) => from + i);
    await parquet.write({
      columnData: [
        {
          name: "geometry",
          data:
            shapes.kind === "MultiPolygon"
              ? rows.map((row) => multiPolygon(shapes.polygonsOf(row), bounds))
              : wellKnownBinaries(shapes, rows, bounds),
          encoding: "PLAIN",
        },
        ...all.map(({ name, type, valueOf }) => ({
          name,
          data:
            type === "int32"
              ? Int32Array.from(rows, (row) => valueOf(row) as number)
              : // Encoded here: the library creates an encoder for every value.
                name === index.name
                ? rows.map((row) => Buffer.from(valueOf(row) as string))
                : rows.map(valueOf),
        })),
      ],
      rowGroupSize: GROUP,
    });
    await setImmediate();
    throwIfCancelled(signal);
  }
  kvMetadata.unshift({ key: "geo", value: JSON.stringify(geo()) });
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

/**
 * Little-endian WKB of points, or of polygons with one ring, one after another in the same memory: separate allocations
 * would cost more than the data. Widens `bounds`: left, top, right, bottom.
 */
function wellKnownBinaries(
  { kind, geometryOf }: SimpleShapes,
  rows: readonly number[],
  bounds: number[],
): Uint8Array[] {
  const head = kind === "Point" ? 5 : 13;
  let bytes = new Uint8Array(rows.length * (head + 8 * USUAL_NUMBERS));
  let view = new DataView(bytes.buffer);
  let end = 0;
  const ends = rows.map((row) => {
    const xy = geometryOf(row);
    const start = end;
    end += head + 8 * xy.length;
    if (end > bytes.length) {
      const before = bytes;
      bytes = new Uint8Array(2 * end);
      bytes.set(before);
      view = new DataView(bytes.buffer);
    }
    view.setUint8(start, 1);
    view.setUint32(start + 1, kind === "Point" ? 1 : 3, true);
    if (kind === "Polygon") {
      view.setUint32(start + 5, 1, true);
      view.setUint32(start + 9, xy.length / 2, true);
    }
    for (let i = 0; i < xy.length; i++) view.setFloat64(start + head + 8 * i, xy[i], true);
    widen(bounds, xy);
    return end;
  });
  return ends.map((at, i) => bytes.subarray(ends[i - 1] ?? 0, at));
}

/** Widens `bounds` (left, top, right, bottom) to hold these points. */
export function widen(bounds: number[], xy: Float64Array): void {
  for (let p = 0; p < xy.length; p += 2) {
    bounds[0] = Math.min(bounds[0], xy[p]);
    bounds[1] = Math.min(bounds[1], xy[p + 1]);
    bounds[2] = Math.max(bounds[2], xy[p]);
    bounds[3] = Math.max(bounds[3], xy[p + 1]);
  }
}

const [POLYGON, MULTI_POLYGON] = [3, 6];
/** Byte order, kind, and number of parts. */
const HEAD = 9;

/** Little-endian WKB of polygons with holes; rings are open and become closed. Widens `bounds`. */
function multiPolygon(
  polygons: readonly (readonly Float64Array[])[],
  bounds: number[],
): Uint8Array {
  const ringBytes = (ring: Float64Array): number => 4 + 8 * (ring.length + 2);
  const bytes = polygons
    .flatMap((rings) => [HEAD, ...rings.map(ringBytes)])
    .reduce((sum, size) => sum + size, HEAD);
  const view = new DataView(new ArrayBuffer(bytes));
  let at = 0;
  const count = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const head = (kind: number, parts: number): void => {
    view.setUint8(at++, 1);
    count(kind);
    count(parts);
  };
  head(MULTI_POLYGON, polygons.length);
  for (const rings of polygons) {
    head(POLYGON, rings.length);
    for (const ring of rings) {
      count(ring.length / 2 + 1);
      for (const value of [...ring, ring[0]!, ring[1]!]) {
        view.setFloat64(at, value, true);
        at += 8;
      }
      widen(bounds, ring);
    }
  }
  return new Uint8Array(view.buffer);
}
