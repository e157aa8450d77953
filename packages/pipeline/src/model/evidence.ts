import type { StoredKey } from "../fields.ts";

/**
 * The fields with the counts that cells' rates are computed from. Counts belong to places: spots or bins. If the sample
 * has 2 µm bins, a cell's evidence is its own 2 µm bins instead, so places are cells, each holding all finest bins
 * assigned to it.
 */
export interface EvidenceKeys {
  /** nPlaces × nPrototypes. */
  exposure: "spots/exposure" | "cells/fine_exposure";
  /** nCells × 7: places and their weights. */
  nearSpot: "cells/near_spot" | "cells/near_fine";
  nearWeight: "cells/near_weight" | "cells/near_fine_weight";
  spotTotals: "spots/total_counts" | "cells/fine_total";
  /** nPlaces × nGenes, and transposed. */
  spotCounts: "spots/counts" | "cells/counts";
  geneCounts: "genes/spots" | "genes/fine_counts";
}

/** Spots around the cell, or bins that capture it. */
export const SPOTS: EvidenceKeys = {
  exposure: "spots/exposure",
  nearSpot: "cells/near_spot",
  nearWeight: "cells/near_weight",
  spotTotals: "spots/total_counts",
  spotCounts: "spots/counts",
  geneCounts: "genes/spots",
};

/** Each cell's own bins of 2 µm. */
const FINE_BINS: EvidenceKeys = {
  exposure: "cells/fine_exposure",
  nearSpot: "cells/near_fine",
  nearWeight: "cells/near_fine_weight",
  spotTotals: "cells/fine_total",
  spotCounts: "cells/counts",
  geneCounts: "genes/fine_counts",
};

/** Which fields the rates of a sample's cells depend on; `has` tells whether a field exists. */
export function evidenceKeys(has: (key: StoredKey) => boolean): EvidenceKeys {
  return has(FINE_BINS.exposure) ? FINE_BINS : SPOTS;
}
