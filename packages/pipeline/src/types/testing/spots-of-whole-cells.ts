import type { NearestSpots } from "../../model/nearest-spots.ts";
import type { Random } from "@stipple/numerics/random";
import type { SparseMatrix } from "@stipple/numerics/matrices";

/** The only spot around each cell is its own. */
export function nearOwnSpot(nCells: number, perSpot: number): NearestSpots {
  return {
    width: 1,
    spot: Int32Array.from({ length: nCells }, (_, cell) => Math.floor(cell / perSpot)),
    weight: new Float32Array(nCells).fill(1),
  };
}

/** Counts of spots that contain consecutive whole cells of their own; `meanOf` is a cell's expected count of a gene. */
export function spotsOfWholeCells(
  { nSpots, perSpot, nGenes }: { nSpots: number; perSpot: number; nGenes: number },
  meanOf: (gene: number, cell: number) => number,
  random: Random,
): { overlap: SparseMatrix; byGene: SparseMatrix } {
  const nCells = nSpots * perSpot;
  const indptr = new Uint32Array(nGenes + 1);
  const [indices, data] = [[] as number[], [] as number[]];
  for (let gene = 0; gene < nGenes; gene++) {
    for (let s = 0; s < nSpots; s++) {
      let mean = 0;
      for (let c = s * perSpot; c < (s + 1) * perSpot; c++) mean += meanOf(gene, c);
      const count = random.poisson(mean);
      if (count === 0) continue;
      indices.push(s);
      data.push(count);
    }
    indptr[gene + 1] = data.length;
  }
  const overlap = {
    nRows: nSpots,
    nCols: nCells,
    indptr: Uint32Array.from({ length: nSpots + 1 }, (_, s) => s * perSpot),
    indices: Uint32Array.from({ length: nCells }, (_, c) => c),
    data: new Float32Array(nCells).fill(1),
  };
  const byGene = {
    nRows: nGenes,
    nCols: nSpots,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
  return { overlap, byGene };
}
