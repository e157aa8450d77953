import type { CellSet } from "../cells/cell-set.ts";
import type { RegionAnswer, RegionRequest } from "./region.worker.ts";

/** Finds the cells in drawn regions off the main thread. */
export interface RegionFinder {
  /** The positions it was created with. */
  readonly positions: Float32Array;
  /**
   * `ring`: x, y of the vertices in the units of the positions. Rejects if the worker fails or the finder is closed.
   */
  find(ring: Float64Array): Promise<CellSet>;
  close(): void;
}

/** Starts a worker that holds a copy of `positions` (x, y of every cell). */
export function regionFinder(positions: Float32Array): RegionFinder {
  const worker = new Worker(new URL("./region.worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, { done: (cells: CellSet) => void; fail: (why: Error) => void }>();
  let asked = 0;
  const send = (request: RegionRequest, transfer: Transferable[]) =>
    worker.postMessage(request, transfer);
  const failAll = (why: string) => {
    for (const { fail } of waiting.values()) fail(new Error(why));
    waiting.clear();
  };
  worker.addEventListener("message", ({ data }: MessageEvent<RegionAnswer>) => {
    waiting.get(data.id)?.done({ bits: data.bits, count: data.count });
    waiting.delete(data.id);
  });
  worker.addEventListener("error", () => failAll("The selection worker failed."));
  const copy = positions.slice();
  send({ positions: copy }, [copy.buffer]);
  return {
    positions,
    find(ring) {
      return new Promise((done, fail) => {
        const id = asked++;
        waiting.set(id, { done, fail });
        send({ id, ring }, []);
      });
    },
    close() {
      worker.terminate();
      failAll("The view was closed.");
    },
  };
}
