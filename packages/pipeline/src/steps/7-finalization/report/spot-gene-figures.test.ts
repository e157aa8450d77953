import { expect, it } from "vitest";
import { distinctiveSpotGenes } from "./spot-gene-figures.ts";

it("chooses the gene that stands out in each large cluster, each gene once", () => {
  // Two clusters of 30 and 20 spots; gene 0 is in all spots, gene 1 in the first cluster, gene 2 in the second;
  // gene 3 is too rare.
  const rows = Array.from({ length: 50 }, (_, spot) =>
    spot < 30 ? [20, 10, 1, spot === 0 ? 9 : 0] : [20, 1, 10, 0],
  );
  const indptr = [0];
  const indices: number[] = [];
  const data: number[] = [];
  for (const row of rows) {
    row.forEach((value, gene) => {
      if (value === 0) return;
      indices.push(gene);
      data.push(value);
    });
    indptr.push(indices.length);
  }
  const counts = {
    nRows: 50,
    nCols: 4,
    indptr: Uint32Array.from(indptr),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
  const cluster = Int32Array.from({ length: 50 }, (_, spot) => (spot < 30 ? 0 : 1));
  expect(distinctiveSpotGenes({ counts, cluster }, 4)).toEqual([1, 2]);
  expect(distinctiveSpotGenes({ counts, cluster }, 1)).toEqual([1]);
});
