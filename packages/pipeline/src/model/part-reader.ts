import type { SparseRows } from "@stipple/numerics/sparse-rows";
import type { Field, SparseKey, StoredKey } from "../fields.ts";

/** How a view reads its parts: whole fields, or a sparse one row by row without holding it in memory. */
export interface PartReader {
  read<K extends StoredKey>(key: K): Promise<Field<K>>;
  has(key: StoredKey): boolean;
  rows(key: SparseKey): Promise<SparseRows>;
}
