import { isPlaceMeasure, placeOf, type AnyMeasure } from "../../state/place-measures.ts";
import { viewerTexts } from "../../texts.ts";

/** What a measure is called. */
export function measureName(measure: AnyMeasure): string {
  if (!isPlaceMeasure(measure)) return viewerTexts.measures[measure];
  const { from, name } = placeOf(measure);
  return viewerTexts.distances[from](name);
}
