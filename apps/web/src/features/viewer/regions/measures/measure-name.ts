import {
  isPlaceMeasure,
  isProtein,
  placeOf,
  proteinOf,
  type AnyMeasure,
} from "../../state/measures.ts";
import { viewerTexts } from "../../texts.ts";

/** What a measure is called. */
export function measureName(measure: AnyMeasure): string {
  if (isProtein(measure)) return viewerTexts.protein(proteinOf(measure)!);
  if (!isPlaceMeasure(measure)) return viewerTexts.measures[measure];
  const { from, name } = placeOf(measure);
  return viewerTexts.distances[from](name);
}
