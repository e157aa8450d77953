import type { FileMetaData } from "hyparquet";

/**
 * Compares numbers with the least and the largest that a Parquet file declares for each of its columns: values have no
 * checksum, but most damage lies outside of these bounds.
 */
export class DeclaredBounds {
  readonly #bounds = new Map<string, { least: number; largest: number; seen: [number, number] }>();

  constructor({ row_groups: groups }: FileMetaData, columns: readonly string[]) {
    for (const column of columns) {
      const declared = groups.map((group) => {
        const part = group.columns.find(
          ({ meta_data: data }) => data?.path_in_schema[0] === column,
        );
        const { min_value: least, max_value: largest } = part?.meta_data?.statistics ?? {};
        return [least, largest];
      });
      if (
        !declared.flat().every((value) => typeof value === "number" || typeof value === "bigint")
      ) {
        continue;
      }
      this.#bounds.set(column, {
        least: Math.min(...declared.map(([least]) => Number(least))),
        largest: Math.max(...declared.map(([, largest]) => Number(largest))),
        seen: [Infinity, -Infinity],
      });
    }
  }

  add(row: Record<string, unknown>): void {
    for (const [column, { seen }] of this.#bounds) {
      const value = row[column];
      // Writers leave NaN out of the bounds.
      if ((typeof value !== "number" && typeof value !== "bigint") || Number.isNaN(value)) continue;
      seen[0] = Math.min(seen[0], Number(value));
      seen[1] = Math.max(seen[1], Number(value));
    }
  }

  /** Throws RangeError if the numbers of all rows have other bounds. */
  require(): void {
    for (const [column, { least, largest, seen }] of this.#bounds) {
      if (seen[0] !== least || seen[1] !== largest) {
        throw new RangeError(
          `${column} is from ${seen[0]} to ${seen[1]}, not ${least} to ${largest}`,
        );
      }
    }
  }
}
