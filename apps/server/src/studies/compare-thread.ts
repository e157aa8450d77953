import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { InputError } from "@stipple/pipeline/errors";
import {
  compareSamples,
  comparisonFiles,
  sumSample,
  type SampleSums,
} from "@stipple/pipeline/study";
import type { Finding, Order, Reply } from "./messages.ts";
import { shownComparison } from "./shown-comparison.ts";

/** The thread that compares samples. It remembers sums, so that a changed design does not read the counts again. */
const MAX_HELD = 100;
/** By content, the latest used last. */
const held = new Map<string, SampleSums>();

parentPort!.on("message", (order: Order) => {
  void answer(order)
    .catch((error: unknown): Reply => {
      if (error instanceof InputError) return { refusal: error.message, files: new Map() };
      return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    })
    .then((reply) => parentPort!.postMessage(reply));
});

async function answer({ samples, groups }: Order): Promise<Finding> {
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
