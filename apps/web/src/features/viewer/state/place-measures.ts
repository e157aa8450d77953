import { CELL_MEASURES, type CellMeasure } from "@stipple/contract/viewer-manifest";

/**
 * Where a cell lies: its distance from the border of the region with a name, negative inside, or from the nearest cell
 * of a type, by the type's original name.
 */
export type PlaceMeasure = `border:${string}` | `near:${string}`;

/** One number per cell: measured by the analysis, or by its place. */
export type AnyMeasure = CellMeasure | PlaceMeasure;

export function isPlaceMeasure(measure: string): measure is PlaceMeasure {
  return /^(border|near):./.test(measure);
}

/** What a distance is measured from. */
export function placeOf(measure: PlaceMeasure): { from: "border" | "near"; name: string } {
  const [from, ...name] = measure.split(":");
  return { from: from as "border" | "near", name: name.join(":") };
}

/** The measure with a name; undefined if there is none. */
export function measureNamed(text: string | null): AnyMeasure | undefined {
  if (text !== null && isPlaceMeasure(text)) return text;
  return CELL_MEASURES.find((name) => name === text);
}
