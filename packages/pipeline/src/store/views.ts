import type { FIELDS } from "../fields.ts";
import { type Field, type FieldKey } from "../fields.ts";
import { openExpectedCounts } from "../model/expected-counts.ts";
import { openRates } from "../model/rates.ts";
import type { SparseKey, SparseRows } from "./sparse-rows.ts";

/** How a view reads its parts: whole fields, or a sparse one row by row without holding it in memory. */
export interface PartReader {
  read<K extends FieldKey>(key: K): Promise<Field<K>>;
  has(key: FieldKey): boolean;
  rows(key: SparseKey): Promise<SparseRows>;
}

type ViewKey = {
  [K in FieldKey]: (typeof FIELDS)[K]["kind"] extends "view" ? K : never;
}[FieldKey];

const OPENERS: { [K in ViewKey]: (parts: PartReader) => Promise<Field<K>> } = {
  "cells/rate": openRates,
  "cells/allocated": openExpectedCounts,
};

/** Opens a field that is computed from others. */
export function openView(key: FieldKey, parts: PartReader): Promise<unknown> {
  return OPENERS[key as ViewKey](parts);
}
