import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import type { StudyComparison } from "@stipple/contract/routes/studies";
import { InputError } from "@stipple/pipeline/errors";
import {
  compareSamples,
  comparisonFiles,
  comparisonSummary,
  FDR,
  sumSample,
  type Comparison,
  type SampleSums,
} from "@stipple/pipeline/study";
import type { Finding, Order, Reply } from "./messages.ts";

/** The thread that compares samples. It remembers sums, so that a changed design does not read the counts again. */
const MAX_HELD = 100;
const SHOWN_GENES = 20;
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
  return { comparison: shown(comparison, [...files.keys()]), files };
}

function shown(comparison: Comparison, files: string[]): StudyComparison {
  const { groups, composition, expression, genes, cells, design, units } = comparison;
  return {
    ...{ groups, files, summary: comparisonSummary(comparison) },
    composition: composition
      .toSorted((a, b) => a.p - b.p)
      .map(({ type, shares, logOdds, low, high, p, fdr }) => ({
        ...{ type, shares, odds_ratio: finite(Math.exp(logOdds)) },
        ...{ low: finite(Math.exp(low)), high: finite(Math.exp(high)) },
        ...{ p: finite(p), fdr: finite(fdr) },
        units: design.units.map((i) => {
          const numbers = cells.numbers[i];
          const total = numbers.reduce((sum, number) => sum + number, 0);
          return {
            share: numbers[cells.types.indexOf(type)] / total,
            group: groups.indexOf(units[i].condition),
          };
        }),
      })),
    expression: expression.map((row) =>
      "refusal" in row
        ? { type: row.type, refusal: row.refusal, units: 0, genes: 0, different: 0, top: [] }
        : {
            ...{ type: row.type, refusal: null, units: row.units.length },
            genes: row.genes.length,
            different: row.genes.filter(({ fdr }) => fdr < FDR).length,
            top: row.genes
              .toSorted((a, b) => a.p - b.p)
              .slice(0, SHOWN_GENES)
              .map(({ gene, logFold, low, high, p, fdr }) => ({
                ...{ gene: genes.name[gene], log2_fold_change: finite(logFold) },
                ...{ low: finite(low), high: finite(high), p: finite(p), fdr: finite(fdr) },
              })),
          },
    ),
  };
}

/** JSON has neither NaN nor infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
