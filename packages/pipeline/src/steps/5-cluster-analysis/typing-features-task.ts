import { defineTask } from "../../engine/tasks/task.ts";
import type { FeatureFields, TypingFeatures } from "./typing-features.ts";

/** Computes the features for typing on one thread. */
export const featuresForTyping = defineTask<FeatureFields, object, TypingFeatures>(
  "typing-features",
  new URL("./typing-features-worker.ts", import.meta.url),
);
