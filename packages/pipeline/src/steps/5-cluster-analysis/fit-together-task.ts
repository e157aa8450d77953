import { defineTask } from "../../engine/tasks/task.ts";
import type { AnchoredData, AnchoredModel, Anchors } from "./anchored-fit.ts";

/** What the fits of one call have in common. */
export interface AnchoredFitWork {
  anchors: Anchors;
  /** What is done of each fit, in memory that threads share. */
  done: Float32Array;
}

/** One fit: to which spots, and from where. */
export interface AnchoredFitOrder {
  data: AnchoredData;
  steps: number;
  /** Weights to begin with, or what they are found by: see `startFromLooks`. */
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
  // ONNX Runtime's.
  { isNative: true },
);
