import { gzipSync } from "node:zlib";
import {
  compareSamples,
  comparisonFiles,
  shownComparison,
  sumSample,
  type SampleSums,
} from "@stipple/pipeline/study";
import { answerOrders } from "./answer-orders.ts";
import type { CompareOrder, Finding } from "./messages.ts";

/** The thread that compares samples. It remembers sums, so that a changed design does not read the counts again. */
const MAX_HELD = 100;
/** By content, regions, and types, the latest used last. */
const held = new Map<string, SampleSums>();

answerOrders(answer);

async function answer({ samples, groups, region }: CompareOrder): Promise<Finding> {
  const summed = [];
  for (const { folder, within, annotations, ...sample } of samples) {
    const key = JSON.stringify([sample.content, sample.region, sample.types]);
    const sums = held.get(key) ?? (await sumSample(folder, { annotations, within }));
    held.delete(key);
    held.set(key, sums);
    summed.push({ ...sample, sums });
  }
  for (const key of held.keys()) {
    if (held.size <= Math.max(MAX_HELD, samples.length)) break;
    held.delete(key);
  }
  const comparison = compareSamples(summed, groups, region);
  const files = new Map<string, Uint8Array>();
  for (const { name, text } of comparisonFiles(comparison)) {
    files.set(name, gzipSync(text, { level: 4 }));
  }
  return { comparison: { ...shownComparison(comparison), files: [...files.keys()] }, files };
}
