import { defineTask } from "../engine/tasks/task.ts";
import type { AnchoredData, AnchoredModel, Anchors } from "./anchored-fit.ts";

/** Input shared by all fits of one call. */
export interface AnchoredFitWork {
  anchors: Anchors;
  /** Progress of each fit, in memory shared between threads. */
  done: Float32Array;
}

/** One fit: its spots and starting point. */
export interface AnchoredFitOrder {
  data: AnchoredData;
  steps: number;
  /** Starting weights, or the data to find them: see `startFromLooks`. */
  start: Float64Array<ArrayBuffer> | { markers: number[][]; seed: number };
}

/** Fits a model of types on one thread. */
export const fitTypesOnThread = defineTask<
  AnchoredFitWork,
  AnchoredFitOrder & { place: number },
  AnchoredModel
>(
  "fit-types",
  new URL("./fit-together-worker.ts", import.meta.url),
  // ONNX Runtime is native code.
  { isNative: true },
);
