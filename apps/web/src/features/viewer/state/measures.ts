import {
  CELL_MEASURES,
  type CellMeasure,
  type ProteinColumn,
} from "@stipple/contract/viewer-manifest";

/**
 * Where a cell lies: its distance from the border of the region with a name, negative inside, or from the nearest cell
 * of a type, by the type's original name.
 */
export type PlaceMeasure = `border:${string}` | `near:${string}`;

/** One number per cell: found by the analysis, counted with an antibody, or measured by its place. */
export type AnyMeasure = CellMeasure | ProteinColumn | PlaceMeasure;

/** The protein that a measure is of; null for other measures. */
export function proteinOf(measure: string): string | null {
  return /^protein:(.+)/.exec(measure)?.[1] ?? null;
}

export function isProtein(measure: string): measure is ProteinColumn {
  return proteinOf(measure) !== null;
}

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
  if (text !== null && (isPlaceMeasure(text) || isProtein(text))) return text;
  return CELL_MEASURES.find((name) => name === text);
}
