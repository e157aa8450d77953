import { createHash } from "node:crypto";
import { parseColor } from "../../figures/palette.ts";
import { cellName } from "../cell-names.ts";
import { rounded } from "../csv/table.ts";
import { cellRing, nucleusRing, pairs, type Outlines } from "../rings.ts";
import { writeGzipPieces, writePieces } from "../write-lines.ts";

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
  /** False if spots stand in for cells: the objects are then detections without a nucleus. */
  areCells: boolean;
  /** Text that makes the identifiers of this run unique. */
  identity: string;
}

/**
 * Cells as QuPath (≥ 0.4) imports them, in as few bytes per cell as its reader allows: outlines, rounded to a tenth of
 * a full-resolution pixel, name, and type. A type's color is given only with its first cell; QuPath remembers it.
 * Streams.
 */
export function writeCellsGeoJson(
  path: string,
  objects: CellObjects,
  signal: AbortSignal,
): Promise<void> {
  return writePieces(path, collection(objects, lightFeature(objects)), signal);
}

/**
 * Writes the cells with everything known about them: unsimplified outlines, the nucleus in `nucleusGeometry`,
 * measurements, and identifiers that are UUIDs derived from `identity` and the cell number. Gzipped, which QuPath reads
 * directly. Streams.
 */
export function writeDetailedCellsGeoJson(
  path: string,
  objects: CellObjects,
  signal: AbortSignal,
): Promise<void> {
  return writeGzipPieces(path, collection(objects, detailedFeature(objects)), signal);
}

function* collection({ xy }: CellObjects, featureOf: (cell: number) => object): Generator<string> {
  yield '{"type":"FeatureCollection","features":[\n';
  for (let cell = 0; cell < xy.nRows; cell++) {
    yield `${cell === 0 ? "" : ",\n"}${JSON.stringify(featureOf(cell))}`;
  }
  yield "\n]}\n";
}

function lightFeature(objects: CellObjects): (cell: number) => object {
  const classifications = classificationsOf(objects);
  const shown = new Set<number>();
  return (cell) => {
    const type = objects.typeOf[cell];
    const known = classifications[type];
    const ring = cellRing(objects, cell);
    for (let i = 0; i < ring.length; i++) ring[i] = Math.round(ring[i] * 10) / 10;
    const feature = {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [pairs(ring)] },
      properties: {
        objectType: objects.areCells ? "cell" : "detection",
        name: cellName(cell),
        ...(known && { classification: shown.has(type) ? { name: known.name } : known }),
      },
    };
    shown.add(type);
    return feature;
  };
}

function detailedFeature(objects: CellObjects): (cell: number) => object {
  const classifications = classificationsOf(objects);
  const hash = createHash("sha256").update(objects.identity).digest("hex");
  const prefix = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(12, 15)}-a${hash.slice(15, 18)}`;
  return (cell) => {
    const outline = pairs(cellRing(objects, cell));
    const nucleus = objects.areCells ? nucleusRing(objects, cell) : null;
    const classification = classifications[objects.typeOf[cell]];
    return {
      type: "Feature",
      id: `${prefix}-${cell.toString(16).padStart(12, "0")}`,
      geometry: { type: "Polygon", coordinates: [outline] },
      ...(nucleus && { nucleusGeometry: { type: "Polygon", coordinates: [pairs(nucleus)] } }),
      properties: {
        objectType: objects.areCells ? "cell" : "detection",
        name: cellName(cell),
        ...(classification && { classification }),
        measurements: measurements(objects, cell),
      },
    };
  };
}

function classificationsOf({
  typeNames,
  typeColors,
}: CellObjects): { name: string; color: number[] }[] {
  return typeNames.map((name, type) => ({ name, color: parseColor(typeColors[type]) }));
}

/** QuPath reads only numbers; unknown values are left out. */
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
