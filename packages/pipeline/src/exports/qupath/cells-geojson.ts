import { createHash } from "node:crypto";
import { parseColor } from "../../figures/palette.ts";
import { cellName } from "../cell-names.ts";
import { cellRing, nucleusRing, pairs, type Outlines } from "../rings.ts";
import { writePieces } from "../write-lines.ts";

export interface CellObjects extends Outlines {
  typeOf: Int32Array;
  typeNames: readonly string[];
  typeColors: readonly string[];
  clusterOf: Int32Array;
  confidence: Float32Array;
  typeMargin: Float32Array;
  observed: Uint8Array;
  totalCounts: Float64Array;
  rateCv: Float32Array;
  areaUm2: Float32Array;
  /** False where spots stand for cells: the objects are then detections without a nucleus. */
  areCells: boolean;
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
  const { typeOf, typeNames, typeColors, areCells } = objects;
  const classifications = typeNames.map((name, type) => ({
    name,
    color: parseColor(typeColors[type]),
  }));
  const hash = createHash("sha256").update(objects.identity).digest("hex");
  const prefix = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(12, 15)}-a${hash.slice(15, 18)}`;
  yield '{"type":"FeatureCollection","features":[\n';
  for (let cell = 0; cell < objects.xy.nRows; cell++) {
    const nucleus = areCells ? nucleusRing(objects, cell) : null;
    const feature = {
      type: "Feature",
      id: `${prefix}-${cell.toString(16).padStart(12, "0")}`,
      geometry: { type: "Polygon", coordinates: [pairs(cellRing(objects, cell))] },
      ...(nucleus && { nucleusGeometry: { type: "Polygon", coordinates: [pairs(nucleus)] } }),
      properties: {
        objectType: areCells ? "cell" : "detection",
        name: cellName(cell),
        ...(classifications[typeOf[cell]] && { classification: classifications[typeOf[cell]] }),
        measurements: measurements(objects, cell),
      },
    };
    yield `${cell === 0 ? "" : ",\n"}${JSON.stringify(feature)}`;
  }
  yield "\n]}\n";
}

/** QuPath reads numbers only; what is unknown is left out. */
function measurements(objects: CellObjects, cell: number): Record<string, number> {
  const values: Record<string, number> = {
    "Area µm^2": rounded(objects.areaUm2[cell], 2),
    "Type confidence": rounded(objects.confidence[cell], 4),
    "Type margin": rounded(objects.typeMargin[cell], 4),
    Cluster: objects.clusterOf[cell],
    Observed: objects.observed[cell],
    "Observed UMIs": objects.totalCounts[cell],
    "Rate CV": rounded(objects.rateCv[cell], 4),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
