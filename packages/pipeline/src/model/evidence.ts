import type { AlignmentScale, SegmentationReport } from "../facts.ts";
import type { StoredKey } from "../fields.ts";

/** What a sample's counts are evidence for. Steps choose it once and ask nothing else about spots and bins. */
export interface Evidence {
  /** Whether rows are cells; else they are whole spots or bins, whose counts are their own. */
  ofCells: boolean;
  /** Whether places of counts are bins, each of one or a few cells; else spots, shared by the cells in and around them. */
  bins: boolean;
  /** Spots shared by cells: only there do spots differ in efficiency, and types tell what counts cannot. */
  shared: boolean;
  /** Cells with bins of their own: their totals show how much RNA they hold. */
  ownBins: boolean;
}

/** The evidence of a sample, by how its cells were found and by the shape of its spots. */
export function evidenceOf(
  { method }: Pick<SegmentationReport, "method">,
  { spotShape }: Pick<AlignmentScale, "spotShape">,
): Evidence {
  const [ofCells, bins] = [method !== "spot_level", spotShape === "square"];
  return { ofCells, bins, shared: ofCells && !bins, ownBins: ofCells && bins };
}

/** Spots around the cell, or bins that capture it: the fields with the counts that cells' rates are computed from. */
export const SPOTS = {
  /** nPlaces × nPrototypes: counts belong to places, which are spots or bins. */
  exposure: "spots/exposure",
  /** nCells × 7: places and their weights. */
  nearSpot: "cells/near_spot",
  nearWeight: "cells/near_weight",
  spotTotals: "spots/total_counts",
  /** nPlaces × nGenes, and transposed. */
  spotCounts: "spots/counts",
  geneCounts: "genes/spots",
} as const;

/** Each cell's own bins of 2 µm, if the sample has them: places are then cells, each holding all bins assigned to it. */
const FINE_BINS = {
  exposure: "cells/fine_exposure",
  nearSpot: "cells/near_fine",
  nearWeight: "cells/near_fine_weight",
  spotTotals: "cells/fine_total",
  spotCounts: "cells/counts",
  geneCounts: "genes/fine_counts",
} as const;

export type EvidenceKeys = typeof SPOTS | typeof FINE_BINS;

/** Which fields the rates of a sample's cells depend on; `has` tells whether a field exists. */
export function evidenceKeys(has: (key: StoredKey) => boolean): EvidenceKeys {
  return has(FINE_BINS.exposure) ? FINE_BINS : SPOTS;
}
