import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { sparseOf } from "../../store/testing/draw-sample.ts";

/** Poisson counts of cells, `total` each on average, whose genes have these relative rates (nCells × nGenes). */
export function drawCells(rates: readonly number[][], total: number): SparseMatrix {
  const random = new Random(3);
  const rows = rates.map((own) => {
    const sum = own.reduce((a, b) => a + b, 0);
    return own
      .map((rate, gene): [number, number] => [gene, random.poisson((total * rate) / sum)])
      .filter(([, count]) => count > 0);
  });
  return sparseOf(rows, rates[0].length);
}
