import type { Field } from "../fields.ts";
import { designMatrix, standardize } from "../model/cell-features.ts";
import type { SpotEvidence } from "./anchored-types.ts";
import { FEATURES, TYPE_FIT } from "../model/constants.ts";

const { TYPE_COMPONENTS: COMPONENTS } = FEATURES;
const { PLACE_PENALTY } = TYPE_FIT;

/** Fields that describe the cells' locations. */
export interface PlaceFields {
  spotComponents: Field<"spots/X_pca">;
  nearSpot: Field<"cells/near_spot">;
  nearWeight: Field<"cells/near_weight">;
}

export type TypingFeatures = Pick<SpotEvidence, "phi" | "nLooks" | "penalty">;

/**
 * Features of cells for typing: their own standardized looks and, under a strong prior, the components of the surrounding
 * spots. O(nCells · nFeatures).
 */
export function withPlaces(
  look: { data: Float32Array; nCols: number },
  around: PlaceFields,
): TypingFeatures {
  const phi = designMatrix(around.nearSpot.nRows, [look, places(around)]);
  const penalty = new Float64Array(phi.nCols).fill(1);
  penalty[0] = 0;
  penalty.fill(PLACE_PENALTY, 1 + look.nCols);
  return { phi, nLooks: look.nCols, penalty };
}

/** Weighted mean components of the spots around each cell. */
function places({ spotComponents, nearSpot, nearWeight }: PlaceFields): {
  data: Float32Array;
  nCols: number;
} {
  const width = Math.min(COMPONENTS, spotComponents.nCols);
  const nCells = nearSpot.nRows;
  const data = new Float32Array(nCells * width);
  for (let i = 0; i < nearSpot.data.length; i++) {
    const spot = nearSpot.data[i];
    if (spot < 0) continue;
    const cell = Math.floor(i / nearSpot.nCols);
    for (let j = 0; j < width; j++) {
      data[cell * width + j] +=
        nearWeight.data[i] * spotComponents.data[spot * spotComponents.nCols + j];
    }
  }
  return standardize(data, nCells, width);
}
