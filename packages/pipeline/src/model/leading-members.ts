import type { SparseMatrix } from "@stipple/numerics/matrices";
import { GUARDS } from "./limits.ts";

/** The leading memberships, nCells × k: a cell's rate of a gene is the sum over these few prototypes. */
export function leadingMembers(membership: Float32Array, k: number): SparseMatrix {
  const nCells = membership.length / k;
  const indptr = new Uint32Array(nCells + 1);
  const indices = new Uint32Array(membership.length);
  const data = new Float32Array(membership.length);
  let to = 0;
  for (let cell = 0; cell < nCells; cell++) {
    const row = cell * k;
    let most = 0;
    for (let j = 0; j < k; j++) if (membership[row + j] > most) most = membership[row + j];
    const least = GUARDS.MIN_MEMBERSHIP * most;
    for (let j = 0; j < k; j++) {
      if (!(membership[row + j] > least)) continue;
      indices[to] = j;
      data[to++] = membership[row + j];
    }
    indptr[cell + 1] = to;
  }
  return {
    nRows: nCells,
    nCols: k,
    indptr,
    indices: indices.slice(0, to),
    data: data.slice(0, to),
  };
}
