import * as scran from "scran.js";
import type { Layout, LayoutWork } from "./layout-task.ts";

/** Runs in a worker thread, which is ended when nobody waits for it any more. */
export default async function work(_shared: object, given: LayoutWork): Promise<Layout> {
  const { k, indices, distances, neighbors, epochs, minDist, sliceMs, told } = given;
  const nCells = indices.length / k;
  await scran.initialize({ numberOfThreads: 1 });
  const runs = new Int32Array(nCells).fill(k);
  const nearest = scran.FindNearestNeighborsResults.unserialize(runs, indices, distances);
  const status = scran.initializeUmap(nearest, {
    neighbors,
    epochs,
    minDist,
    numberOfThreads: 1,
  });
  try {
    Atomics.store(told, 0, 1);
    while (status.currentEpoch() < status.totalEpochs()) {
      status.run({ runTime: sliceMs });
      Atomics.store(told, 0, 1 + status.currentEpoch());
    }
    return { embedding: embeddingOf(status) };
  } finally {
    status.free();
    nearest.free();
  }
}

/** x and y of every cell in turn. */
export function embeddingOf(status: scran.UmapStatus): Float32Array {
  const { x, y } = status.extractCoordinates();
  const embedding = new Float32Array(2 * x.length);
  for (let i = 0; i < x.length; i++) {
    embedding[2 * i] = x[i];
    embedding[2 * i + 1] = y[i];
  }
  return embedding;
}
