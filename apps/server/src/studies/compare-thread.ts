import { gzipSync } from "node:zlib";
import {
  compareSamples,
  comparisonFiles,
  sumSample,
  type SampleSums,
} from "@stipple/pipeline/study";
import { answerOrders } from "./answer-orders.ts";
import type { CompareOrder, Finding } from "./messages.ts";
import { shownComparison } from "./shown-comparison.ts";

/** The thread that compares samples. It remembers sums, so that a changed design does not read the counts again. */
const MAX_HELD = 100;
/** By content, the latest used last. */
const held = new Map<string, SampleSums>();

answerOrders(answer);

async function answer({ samples, groups }: CompareOrder): Promise<Finding> {
  const summed = [];
  for (const { folder, content, ...sample } of samples) {
    const sums = held.get(content) ?? (await sumSample(folder));
    held.delete(content);
    held.set(content, sums);
    summed.push({ ...sample, sums });
  }
  for (const content of held.keys()) {
    if (held.size <= Math.max(MAX_HELD, samples.length)) break;
    held.delete(content);
  }
  const comparison = compareSamples(summed, groups);
  const files = new Map<string, Uint8Array>();
  for (const { name, text } of comparisonFiles(comparison)) {
    files.set(name, gzipSync(text, { level: 4 }));
  }
  return { comparison: shownComparison(comparison, [...files.keys()]), files };
}
