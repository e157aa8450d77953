import { setTimeout as sleep } from "node:timers/promises";
import { Piscina } from "piscina";
import type { SparseMatrix } from "../../fields.ts";
import { solveProfiles, type Exposure } from "./profiles.ts";

/** Genes that are fitted at a time: the same whatever the number of threads, as is the result. */
const BLOCK = 256;
/** Multiplications below which starting threads costs more than it saves. */
const WORTH_THREADS = 2e9;

export interface ProfilePool {
  /** {@link solveProfiles} over all genes, block by block; k × nGenes. */
  solve(
    exposure: Exposure,
    byGene: SparseMatrix,
    rounds: number,
    options?: { pause?: (() => Promise<void>) | undefined; progress?: (fraction: number) => void },
  ): Promise<Float32Array<ArrayBuffer>>;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** Fits profiles on `threads` threads, which start with the first large task; 1 = on the caller's own. */
export function openProfilePool(threads: number, worthThreads = WORTH_THREADS): ProfilePool {
  let pool: Piscina | null = null;
  const start = (): Piscina =>
    (pool ??= new Piscina({
      filename: new URL("./profile-worker.ts", import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      // Whatever the parent was started with (a test runner's loader, a debugger) is not for the workers.
      execArgv: [],
    }));
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
      const cost = byGene.indices.length * k * 2 * Math.max(1, rounds);
      if (threads < 2 || cost < worthThreads) {
        for (const from of blocks) {
          await pause?.();
          place(from, solveProfiles({ exposure, byGene: someRows(byGene, from), rounds }));
          progress?.(from / nGenes);
        }
        return profile;
      }
      const workers = start();
      const seen = shareMemory(exposure);
      let next = 0;
      let done = 0;
      const work = async (): Promise<void> => {
        while (next < blocks.length) {
          await pause?.();
          const from = blocks[next++];
          if (from === undefined) return;
          const counts = copyRows(someRows(byGene, from));
          place(from, await workers.run({ exposure: seen, byGene: counts, rounds }));
          progress?.(++done / blocks.length);
        }
      };
      // Two tasks a thread are under way, so that none waits; not all, so that blocks are not copied long before.
      await Promise.all(Array.from({ length: 2 * threads }, work));
      return profile;
    },
    async close() {
      if (pool) await Promise.race([pool.destroy(), sleep(5000, undefined, { ref: false })]);
    },
  };
}

/** A block of rows, without a copy. */
function someRows(matrix: SparseMatrix, from: number): SparseMatrix {
  const to = Math.min(matrix.nRows, from + BLOCK);
  return { ...matrix, nRows: to - from, indptr: matrix.indptr.subarray(from, to + 1) };
}

/** The same rows with only their own entries, to be sent to a thread. */
function copyRows(matrix: SparseMatrix): SparseMatrix {
  const first = matrix.indptr[0];
  const last = matrix.indptr[matrix.nRows];
  return {
    ...matrix,
    indptr: matrix.indptr.map((at) => at - first),
    indices: matrix.indices.slice(first, last),
    data: matrix.data.slice(first, last),
  };
}

/** The exposure with its large arrays in memory that threads share. */
function shareMemory(exposure: Exposure): Exposure {
  const share = (values: Float32Array): Float32Array => {
    const shared = new Float32Array(new SharedArrayBuffer(values.byteLength));
    shared.set(values);
    return shared;
  };
  return { ...exposure, data: share(exposure.data), share: share(exposure.share) };
}
