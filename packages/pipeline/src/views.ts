import type { Field, FieldKey, StoredKey } from "./fields.ts";
import { openExpectedCounts } from "./model/expected-counts.ts";
import type { PartReader } from "./model/part-reader.ts";
import { openRates } from "./model/rates.ts";

interface View {
  /** The fields that it is computed from. */
  parts: readonly StoredKey[];
  /** Further ones, which not every sample has. */
  partsIfAny: readonly StoredKey[];
  open(parts: PartReader): Promise<unknown>;
}

/** What is computed from several fields when it is read; nothing is stored for it. */
export const VIEWS = {
  /** Inferred expression, nCells × nGenes. */
  "cells/rate": {
    parts: [
      "cells/membership",
      "genes/profile",
      "spots/exposure",
      "cells/near_spot",
      "cells/near_weight",
      "spots/counts",
      "spots/total_counts",
      "genes/spots",
      "genes/rate_source",
      "genes/rate_shape",
      "sample/scale",
    ],
    partsIfAny: [
      "cells/fine_exposure",
      "cells/near_fine",
      "cells/near_fine_weight",
      "cells/fine_total",
      "cells/counts",
      "genes/fine_counts",
    ],
    open: openRates,
  },
  /** The expected allocation, nCells × nGenes: cells/counts are its nearest integers. */
  "cells/allocated": {
    parts: [
      "sample/scale",
      "sample/segmentation",
      "spots/cells",
      "cells/observed",
      "cells/spot",
      "cells/membership",
      "genes/profile",
      "spots/counts",
    ],
    partsIfAny: [],
    open: openExpectedCounts,
  },
} as const satisfies Record<string, View>;

type ViewKey = keyof typeof VIEWS;

/** What a step may read. */
export type ReadKey = FieldKey | ViewKey;
export type Read<K extends ReadKey> = K extends ViewKey
  ? Awaited<ReturnType<(typeof VIEWS)[K]["open"]>>
  : K extends FieldKey
    ? Field<K>
    : never;

/** The view of this name; null if it is a field. */
export function viewOf(key: ReadKey): View | null {
  return Object.hasOwn(VIEWS, key) ? VIEWS[key as ViewKey] : null;
}

/** The fields that `keys` are read from, optional ones included: views are replaced by their parts. */
export function storedParts(keys: readonly ReadKey[]): FieldKey[] {
  const parts = keys.flatMap((key): readonly FieldKey[] => {
    const view = viewOf(key);
    return view ? [...view.parts, ...view.partsIfAny] : [key as FieldKey];
  });
  return [...new Set(parts)];
}
