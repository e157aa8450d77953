import type { FieldKey } from "../fields.ts";

/**
 * The fields that hold what was counted of cells, as their rates are computed from it. Counts lie in places: spots, or bins.
 * Where the sample has bins of 2 µm, a cell's evidence are its own of these instead, so that places are cells, each with
 * all finest bins that were given to it.
 */
export interface EvidenceKeys {
  /** nPlaces × nPrototypes. */
  exposure: "spots/exposure" | "cells/fine_exposure";
  /** nCells × 7: places, and their weights. */
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

/** What the rates of a sample's cells rest on; `has` tells which fields there are. */
export function evidenceKeys(has: (key: FieldKey) => boolean): EvidenceKeys {
  return has(FINE_BINS.exposure) ? FINE_BINS : SPOTS;
}
