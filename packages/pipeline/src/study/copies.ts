import { createHash } from "node:crypto";
import type { NamedSums } from "./shared-genes.ts";

/** A sentence for each set of samples with the same counts of the same cells. */
export function copiesAmong(samples: readonly NamedSums[]): string[] {
  const alike = Map.groupBy(samples, ({ sums }) => {
    const digest = createHash("sha256");
    for (const { name, nCells, counts } of sums.types) {
      digest.update(JSON.stringify([name, nCells])).update(counts);
    }
    return digest.digest("hex");
  });
  return [...alike.values()].flatMap((own) =>
    own.length < 2
      ? []
      : [
          `${own.map(({ name }) => name).join(", ")} have the same cells with the same counts: copies of a sample do not show how much patients differ, so leave all but one out.`,
        ],
  );
}
