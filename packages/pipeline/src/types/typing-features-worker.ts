import { typingFeatures, type FeatureFields, type TypingFeatures } from "./typing-features.ts";

/** Runs in a worker thread. */
export default function work(fields: FeatureFields): TypingFeatures {
  return typingFeatures(fields);
}
