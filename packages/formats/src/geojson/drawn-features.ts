import { childrenOf } from "./child-objects.ts";
import type { DrawnRegion, FailRegions, ImportedObject, RegionAuthor } from "./drawn-region.ts";
import { objectTypeOf } from "./object-type.ts";

/** QuPath's ids are UUIDs. */
const LONGEST_ID = 100;
/** Kinds of QuPath's objects that are found by a program, not drawn. */
const DETECTED = new Set<string | null>(["detection", "cell", "tile"]);
/** Levels of lists and objects in each other: a polygon in an object of QuPath's has eight, and one in that five more. */
const DEEPEST = 200;

/** What one object of a file holds. */
export interface DrawnFeature extends Omit<DrawnRegion, "imported"> {
  /** Null if it can't be written back as it was. */
  object: ImportedObject | null;
}

/**
 * The drawn polygons in a GeoJSON document. `fail` gets what is wrong, as the end of a sentence that begins with the
 * file's name.
 */
export function drawnFeatures(text: string, fail: FailRegions): DrawnFeature[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    return fail(
      "is not valid GeoJSON: export the annotations from QuPath as GeoJSON (File > Export objects).",
      cause,
    );
  }
  const objects = isDeeper(document, DEEPEST) ? null : featuresOf(document);
  if (objects === null) {
    return fail(
      "is not GeoJSON: it has no features. Export the annotations from QuPath as GeoJSON.",
    );
  }
  const drawn = objects.filter((object) => !DETECTED.has(objectTypeOf(object)));
  if (drawn.length === 0 && objects.length > 0) {
    return fail(
      `holds ${objects.length.toLocaleString("en-US")} detected objects and no drawn ones: export the annotations, not the cells.`,
    );
  }
  const labels = drawn.map(({ properties }) => labelOf(properties ?? {}));
  const taken = new Set(labels.map(({ name }) => name));
  const found = drawn.flatMap((object, index): DrawnFeature[] => {
    const polygons = polygonsOf(object.geometry, fail);
    if (polygons.length === 0) return [];
    const { name, ...look } = labels[index]!;
    return [
      {
        name: name ?? freeName(index + 1, taken),
        ...look,
        polygons,
        object: objectOf(object, polygons.length),
        ...authorOf(object),
      },
    ];
  });
  if (found.length === 0) {
    return fail("has no polygons, only points or lines: draw areas, and export them again.");
  }
  return found;
}

/** "Region n" from a number on: another object of that name would be the same region. */
function freeName(from: number, taken: Set<string | null>): string {
  let number = from;
  while (taken.has(`Region ${number}`)) number++;
  taken.add(`Region ${number}`);
  return `Region ${number}`;
}

interface Feature {
  type?: unknown;
  id?: unknown;
  geometry?: unknown;
  properties?: Record<string, unknown>;
}

/** Whether lists and objects lie in each other more levels deep: reading them would exhaust the stack. O(points). */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** The features of a collection, a list, a single feature, or a bare geometry; null if it is none of these. */
function featuresOf(document: unknown): Feature[] | null {
  if (Array.isArray(document)) {
    return document.flatMap((part) => featuresOf(part) ?? []);
  }
  if (!isObject(document)) return null;
  if (Array.isArray(document["features"])) {
    return document["features"].filter(isObject).flatMap(withChildren);
  }
  if (document["type"] === "Feature") return withChildren(document);
  if ("coordinates" in document || "geometries" in document) return [{ geometry: document }];
  return null;
}

/** A feature and those in it, on all levels. */
function withChildren(feature: Feature): Feature[] {
  return [feature, ...childrenOf(feature).flatMap(withChildren)];
}

/** What is kept besides the coordinates, for the program that wrote it. Children are objects of their own. */
function objectOf(
  { type, id, geometry, properties }: Feature,
  polygons: number,
): ImportedObject | null {
  if (type !== "Feature" || !isObject(geometry) || !isObject(properties)) return null;
  const { coordinates: _, ...shape } = geometry;
  // Collections are read as polygons alone.
  if ("geometries" in shape) return null;
  const { signed: _signed, childObjects: _children, ...kept } = properties;
  const isNamed = typeof id === "string" && id.length <= LONGEST_ID;
  return { polygons, ...(isNamed && { id }), geometry: shape, properties: kept };
}

/** Who drew it, if the view wrote that: never an address. */
function authorOf({ properties }: Feature): { signed?: RegionAuthor } {
  const signed = properties?.["signed"];
  if (!isObject(signed)) return {};
  const { author, at } = signed;
  if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return {};
  return {
    signed: { author: typeof author === "string" && !author.includes("@") ? author : null, at },
  };
}

/** The name that a person gave, the class, and the color, as QuPath and common GeoJSON spell them. */
function labelOf(properties: Record<string, unknown>): {
  name: string | null;
  kind: string | null;
  color: string | null;
} {
  const given = properties["classification"] ?? properties["class"] ?? properties["label"];
  const written = isObject(given) ? given : {};
  const kind = wordsOf(isObject(given) ? (written["name"] ?? written["names"]) : given);
  return {
    name: wordsOf(properties["name"]) ?? kind,
    kind,
    color: colorOf(written["color"] ?? written["colorRGB"] ?? properties["color"]),
  };
}

/** A name or number; of nested classes, which QuPath also writes as a list ("Tumor", "Positive"), all parts. */
function wordsOf(value: unknown): string | null {
  const text = Array.isArray(value)
    ? value.filter((part) => typeof part === "string").join(": ")
    : typeof value === "number"
      ? String(value)
      : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

/** "#rrggbb" from a list of three bytes, from one number (0xrrggbb, which QuPath writes with its sign), or from text. */
function colorOf(value: unknown): string | null {
  const bytes =
    typeof value === "number"
      ? [16, 8, 0].map((shift) => (value >> shift) & 0xff)
      : Array.isArray(value)
        ? value.slice(0, 3).map(Number)
        : null;
  if (bytes === null)
    return typeof value === "string" && /^#[\da-f]{6}$/i.test(value) ? value : null;
  if (bytes.length < 3 || !bytes.every((byte) => byte >= 0 && byte <= 255)) return null;
  return `#${bytes.map((byte) => Math.round(byte).toString(16).padStart(2, "0")).join("")}`;
}

function polygonsOf(geometry: unknown, fail: FailRegions): Float64Array[][] {
  if (!isObject(geometry)) return [];
  const { type, coordinates, geometries } = geometry;
  if (type === "GeometryCollection" && Array.isArray(geometries)) {
    return geometries.flatMap((part) => polygonsOf(part, fail));
  }
  if (type !== "Polygon" && type !== "MultiPolygon") return [];
  if (!Array.isArray(coordinates))
    return fail("has a polygon without coordinates: export it again.");
  // Programs that cut polygons write what is left of some as an empty one.
  if (coordinates.length === 0) return [];
  const polygons: unknown[] = type === "Polygon" ? [coordinates] : coordinates;
  return polygons.map((rings) => {
    if (!Array.isArray(rings) || rings.length === 0) {
      return fail("has a polygon without coordinates: export it again.");
    }
    return rings.map((ring) => ringOf(ring, fail));
  });
}

/** A ring without its repeated last point. */
function ringOf(ring: unknown, fail: FailRegions): Float64Array {
  const points: unknown[] = Array.isArray(ring) ? ring : [];
  const xy = new Float64Array(2 * points.length).fill(NaN);
  points.forEach((point, p) => {
    if (!Array.isArray(point)) return;
    const [x, y] = point as unknown[];
    if (typeof x !== "number" || typeof y !== "number") return;
    xy.set([x, y], 2 * p);
  });
  const n = xy.length;
  const closed = n > 2 && xy[0] === xy[n - 2] && xy[1] === xy[n - 1];
  const open = closed ? xy.slice(0, -2) : xy;
  if (open.length < 6) fail("has a polygon with fewer than three points: draw it again.");
  if (!open.every(Number.isFinite)) {
    fail("has a polygon with a corner that lacks x or y: export it again.");
  }
  return open;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
