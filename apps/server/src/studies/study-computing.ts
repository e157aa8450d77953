import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Study } from "@stipple/contract";
import { ApiError } from "../http/api-error.ts";
import { openLocalCopies } from "../outputs/local-copies.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { Finding, OrderedSample } from "./messages.ts";
import { resultsOf, summedFiles, type SampleResults } from "./sample-results.ts";
import { StudyThread } from "./study-thread.ts";

/** What a comparison of a study asks for. */
export interface AskedComparison {
  groups: [string, string] | null;
  usesPatients: boolean;
  usesBatches: boolean;
}

/** Compares samples in a thread of its own, one study after the other. */
export interface StudyComputing extends AsyncDisposable {
  /**
   * What the comparison finds; null while it is computed. What was found is kept by the content of the results and the
   * design, so that a sample's rerun asks for another one.
   */
  find(study: Study, asked: AskedComparison): Promise<Finding | null>;
}

/** Copies beyond this are removed; hard links to a local storage take no space. */
const MAX_BYTES = 20 * 1024 ** 3;
const MAX_FINDINGS = 20;
const MAX_WAITING = 8;
/** A caller waits this long before it is told that it takes longer. */
const PATIENCE_MS = 1_000;
const FAILURE_MS = 10_000;

export function openStudyComputing(parts: { outputs: Outputs; scratch: Scratch }): StudyComputing {
  const { outputs, scratch } = parts;
  const copies = openLocalCopies(outputs, {
    folder: join(scratch.folder, "studies"),
    mostBytes: MAX_BYTES,
  });
  /** By what was asked of which content, the latest last. */
  const findings = new Map<string, Promise<Finding>>();
  const waiting = new Set<Promise<Finding>>();
  const thread = new StudyThread();
  let last: Promise<unknown> = Promise.resolve();

  /** Calls `work` with a folder for each sample; its files stay until `work` has ended. */
  function withFolders<T>(
    results: readonly SampleResults[],
    work: (folders: string[]) => Promise<T>,
    folders: string[] = [],
  ): Promise<T> {
    const next = results[folders.length];
    if (!next) return work(folders);
    return copies.using(
      next.content,
      () => summedFiles(outputs, next.projectId),
      (folder) => withFolders(results, work, [...folders, folder]),
    );
  }

  function compute(results: readonly SampleResults[], samples: Sample[], asked: AskedComparison) {
    return withFolders(results, (folders) =>
      thread.ask({
        samples: samples.map((sample, i) => ({ ...sample, folder: folders[i] })),
        groups: asked.groups,
      }),
    );
  }

  function begin(key: string, work: () => Promise<Finding>): Promise<Finding> {
    if (waiting.size >= MAX_WAITING) {
      throw new ApiError(
        "rate_limited",
        "Other studies are being compared. Please try again soon.",
        {
          retryAfter: 10,
        },
      );
    }
    const finding = last.then(work, work);
    last = finding.catch(() => undefined);
    findings.set(key, finding);
    waiting.add(finding);
    finding
      // Whoever asks again soon is told of the failure instead of waiting for the next one.
      .catch(() => void setTimeout(() => findings.delete(key), FAILURE_MS).unref())
      .finally(() => waiting.delete(finding));
    for (const [old, one] of findings) {
      if (findings.size <= MAX_FINDINGS) break;
      if (!waiting.has(one)) findings.delete(old);
    }
    return finding;
  }

  return {
    async find(study, asked) {
      const results = await resultsOf(outputs, study);
      if ("refusal" in results) return results;
      const samples = results.map((one) => sampleOf(one, asked));
      const key = createHash("sha256")
        .update(JSON.stringify([samples, asked.groups]))
        .digest("base64url");
      const finding = findings.get(key) ?? begin(key, () => compute(results, samples, asked));
      findings.delete(key);
      findings.set(key, finding);
      const patience = Promise.withResolvers<null>();
      const timer = setTimeout(() => patience.resolve(null), PATIENCE_MS);
      return Promise.race([finding, patience.promise]).finally(() => clearTimeout(timer));
    },
    [Symbol.asyncDispose]: () => thread.end(),
  };
}

type Sample = Omit<OrderedSample, "folder">;

function sampleOf(
  { sample, content }: SampleResults,
  { usesPatients, usesBatches }: AskedComparison,
): Sample {
  return {
    ...{ name: sample.name, content, condition: sample.condition },
    patient: usesPatients ? sample.patient : "",
    batch: usesBatches ? sample.batch : "",
  };
}
