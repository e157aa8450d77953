import { createHash } from "node:crypto";
import type { Matrix, Polygons } from "../../fields.ts";
import { parseColor } from "../../figures/palette.ts";
import { cellName } from "../cell-names.ts";
import { writePieces } from "../write-lines.ts";

export interface CellObjects {
  xy: Matrix;
  cells: Polygons;
  nuclei: Polygons;
  typeOf: Int32Array;
  typeNames: readonly string[];
  typeColors: readonly string[];
  clusterOf: Int32Array;
  confidence: Float32Array;
  areaUm2: Float32Array;
  /** Half the side of the square that stands for a cell without an outline, px. */
  halfSidePx: number;
  /** Text that makes the identifiers of this run its own. */
  identity: string;
}

/**
 * Cells as QuPath (≥ 0.4) imports them: a FeatureCollection of objectType "cell" with closed rings in full-resolution
 * pixels, the nucleus in `nucleusGeometry`, the type as classification. Streams; identifiers are UUIDs fixed by
 * `identity` and the cell's number.
 */
export function writeCellsGeoJson(
  path: string,
  objects: CellObjects,
  signal: AbortSignal,
): Promise<void> {
  return writePieces(path, features(objects), signal);
}

function* features(objects: CellObjects): Generator<string> {
  const { typeOf, typeNames, typeColors, cells, nuclei } = objects;
  const classifications = typeNames.map((name, type) => ({
    name,
    color: parseColor(typeColors[type]),
  }));
  const hash = createHash("sha256").update(objects.identity).digest("hex");
  const prefix = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(12, 15)}-a${hash.slice(15, 18)}`;
  const hasNuclei = nuclei.offsets.length === cells.offsets.length;
  yield '{"type":"FeatureCollection","features":[\n';
  for (let cell = 0; cell < objects.xy.nRows; cell++) {
    const nucleus = hasNuclei ? ring(nuclei, cell) : null;
    const feature = {
      type: "Feature",
      id: `${prefix}-${cell.toString(16).padStart(12, "0")}`,
      geometry: {
        type: "Polygon",
        coordinates: [ring(cells, cell) ?? square(objects, cell)],
      },
      ...(nucleus && { nucleusGeometry: { type: "Polygon", coordinates: [nucleus] } }),
      properties: {
        objectType: "cell",
        name: cellName(cell),
        ...(classifications[typeOf[cell]] && { classification: classifications[typeOf[cell]] }),
        measurements: {
          "Area µm^2": hundredths(objects.areaUm2[cell]),
          Confidence: Math.round(objects.confidence[cell] * 1e4) / 1e4,
          Cluster: objects.clusterOf[cell],
        },
      },
    };
    yield `${cell === 0 ? "" : ",\n"}${JSON.stringify(feature)}`;
  }
  yield "\n]}\n";
}

/** Closed ring of a polygon; null when it has fewer than three points. */
function ring({ offsets, xy }: Polygons, cell: number): number[][] | null {
  const [from, to] = [offsets[cell], offsets[cell + 1]];
  if (to - from < 3) return null;
  const points: number[][] = [];
  for (let p = from; p < to; p++) points.push([hundredths(xy[2 * p]), hundredths(xy[2 * p + 1])]);
  points.push(points[0]);
  return points;
}

function square({ xy, halfSidePx: h }: CellObjects, cell: number): number[][] {
  const [x, y] = [xy.data[2 * cell], xy.data[2 * cell + 1]];
  return [
    [x - h, y - h],
    [x + h, y - h],
    [x + h, y + h],
    [x - h, y + h],
    [x - h, y - h],
  ].map(([px, py]) => [hundredths(px), hundredths(py)]);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
