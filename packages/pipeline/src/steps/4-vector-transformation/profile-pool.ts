import { defineTask, type Tasks } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { fitProfiles, type Exposure, type ProfileTask } from "./profiles.ts";

/** Genes fitted at a time; the same on every machine, so that results are too. */
const BLOCK = 256;
/** Multiplications below which starting threads costs more than it saves. */
const WORTH_THREADS = 2e8;
/** Typical number of coordinate descent sweeps per gene. */
const USUAL_SWEEPS = 20;

export interface ProfilePool {
  /** {@link fitProfiles} over all genes, block by block; k × nGenes. */
  solve(
    exposure: Exposure,
    byGene: SparseMatrix,
    rounds: number,
    options?: {
      pause?: (() => Promise<void> | void) | undefined;
      progress?: (fraction: number) => void;
    },
  ): Promise<Float32Array<ArrayBuffer>>;
}

/** Fits large problems with `tasks`; small ones, or all if `tasks` is missing, on the calling thread. */
export function openProfilePool(others?: { tasks: Tasks; signal: AbortSignal }): ProfilePool {
  return {
    async solve(exposure, byGene, rounds, { pause, progress } = {}) {
      const { k } = exposure;
      const nGenes = byGene.nRows;
      const profile = new Float32Array(k * nGenes);
      const blocks = Array.from({ length: Math.ceil(nGenes / BLOCK) }, (_, i) => i * BLOCK);
      const place = (from: number, part: Float32Array): void => {
        const n = part.length / k;
        for (let j = 0; j < k; j++)
          profile.set(part.subarray(j * n, (j + 1) * n), j * nGenes + from);
      };
      const sweeps = rounds === 0 ? nGenes * k * k * USUAL_SWEEPS : 0;
      const cost = byGene.indices.length * k * 2 * Math.max(1, rounds) + sweeps;
      if (!others?.tasks.isWorth(cost, WORTH_THREADS)) {
        for (const from of blocks) {
          await pause?.();
          const part = { exposure, byGene: blockOf(byGene, from), rounds };
          place(from, await fitProfiles(part));
          progress?.(Math.min(1, (from + BLOCK) / nGenes));
        }
        return profile;
      }
      const { tasks, signal } = others;
      await pause?.();
      const inputs = {
        length: blocks.length,
        areOwn: true,
        at: (index: number) => blockOf(byGene, blocks[index]),
      };
      const call = { shared: { exposure, rounds }, inputs };
      const parts = await tasks.map(solveBlock, call, { signal, progress });
      parts.forEach((part, index) => place(blocks[index], part));
      return profile;
    },
  };
}

/** Runs in a worker thread: profiles of a block of genes (genes × spots), k × genes. */
export function profilesOfBlock(
  fit: Omit<ProfileTask, "byGene">,
  byGene: SparseMatrix,
): Promise<Float32Array> {
  return fitProfiles({ ...fit, byGene });
}

// ONNX Runtime is native code.
const solveBlock = defineTask(import.meta.url, profilesOfBlock, { isNative: true });

/** A block of rows from one on, with only their own entries, for sending; copied unless threads share the matrix. */
function blockOf(
  { indptr, indices, data, nRows, nCols }: SparseMatrix,
  from: number,
): SparseMatrix {
  const to = Math.min(nRows, from + BLOCK);
  const [first, last] = [indptr[from], indptr[to]];
  const part = <T extends Uint32Array | Float32Array>(array: T): T =>
    (array.buffer instanceof SharedArrayBuffer
      ? array.subarray(first, last)
      : array.slice(first, last)) as T;
  return {
    nRows: to - from,
    nCols,
    indptr: indptr.subarray(from, to + 1).map((at) => at - first),
    indices: part(indices),
    data: part(data),
  };
}
