import type { SparseRow, SparseRows } from "@stipple/numerics/sparse-rows";

/** Bytes of spot counts cached between calls. */
const CACHE_BYTES = 512 * 1024 * 1024;

/** Rows of spots; the most recent ones are cached, unless they are in memory anyway. */
export function spotReader(rows: SparseRows): SparseRows["row"] {
  if (rows.isHeld) return rows.row;
  const kept = new Map<number, SparseRow>();
  let bytes = 0;
  return (s) => {
    const known = kept.get(s);
    if (known) return known;
    const row = rows.row(s);
    bytes += 8 * row.indices.length;
    while (bytes > CACHE_BYTES && kept.size > 0) {
      const [oldest, { indices }] = kept.entries().next().value!;
      bytes -= 8 * indices.length;
      kept.delete(oldest);
    }
    kept.set(s, row);
    return row;
  };
}
