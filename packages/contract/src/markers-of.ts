import type { GroupMarkers } from "./statistical-facts.ts";

const FDR = 0.05;

/** The genes that are higher in the group by the counts of cells, and significantly so over spots; best first. */
export function markersOf({ genes, scores, pvalsAdj, logFoldChanges }: GroupMarkers): string[] {
  return genes.filter((_, at) => logFoldChanges[at]! > 0 && scores[at]! > 0 && pvalsAdj[at]! < FDR);
}
