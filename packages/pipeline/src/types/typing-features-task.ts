import { defineTask } from "../engine/tasks/task.ts";
import type { FitThreads } from "./fit-together.ts";
import { typingFeatures, type FeatureFields, type TypingFeatures } from "./typing-features.ts";

/** Number of cells above which a thread is worth starting. */
const WORTH_THREADS = 20_000;

/** Computes the features for typing on one thread. */
export const featuresForTyping = defineTask<FeatureFields, object, TypingFeatures>(
  "typing-features",
  new URL("./typing-features-worker.ts", import.meta.url),
);

/** Features for typing; with threads, computed on one in large samples. */
export async function featuresOnThread(
  fields: FeatureFields,
  others?: FitThreads,
): Promise<TypingFeatures> {
  const worth = others?.worthThreads ?? WORTH_THREADS;
  if (!others || others.tasks.hands === 1 || fields.features.nRows < worth) {
    return typingFeatures(fields);
  }
  const { tasks, signal } = others;
  const [found] = await tasks.map(featuresForTyping, { shared: fields, inputs: [{}] }, { signal });
  return found;
}
