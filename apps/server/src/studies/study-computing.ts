import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Study } from "@stipple/contract";
import type { Config } from "../config.ts";
import { ApiError } from "../http/api-error.ts";
import type { Database } from "../db/database.ts";
import { openLocalCopies, type LocalCopies } from "../outputs/local-copies.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import { serializeByKey } from "../operations/serialize-by-key.ts";
import { OrderThread, SteadyThread } from "../operations/order-thread.ts";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import type { Storage } from "../storage/storage.ts";
import { openFindings, foundFile, type FoundFile } from "./findings.ts";
import { computeOnce } from "./compute-once.ts";
import { SPACE_CELLS, type Finding, type KeptFinding, type Order, type Reply } from "./messages.ts";
import { questionOf, spaceTable, type Asked, type Question } from "./questions.ts";

/** Compares samples in a thread, places them in one space in another, and writes them as one file in a third. */
export interface StudyComputing extends AsyncDisposable {
  /**
   * What is found; null while it is computed. What was found is kept by the content of the results and the design, so that
   * a sample's rerun asks for another one.
   */
  find(study: Study, asked: Asked): Promise<KeptFinding | null>;
  /** A file of what was found; null if there is none, or it has not been computed. */
  file(study: Study, asked: Asked, name: string): Promise<FoundFile | null>;
}

/** Copies beyond this are removed; hard links to a local storage take no space. */
const MAX_BYTES = 20 * 1024 ** 3;
const MAX_WAITING = 8;
/** A caller waits this long before it is told that it takes longer. */
const TIMEOUT_MS = 1_000;
const FAILURE_MS = 10_000;
/** A thread and what it remembers go after this time without work. */
const IDLE_MS = 300_000;

export function openStudyComputing(parts: {
  database: Database;
  storage: Storage;
  reads: SoundReads;
  outputs: Outputs;
  scratch: Scratch;
  config: Pick<Config, "threads">;
}): StudyComputing {
  const { outputs, reads } = parts;
  const { db } = parts.database;
  const folder = join(parts.scratch.folder, "studies");
  const kept = openFindings(parts);
  const copies = openLocalCopies(outputs, { folder, maxBytes: MAX_BYTES });
  /** What is being computed, or has failed just now, by study and by what was asked of which content. */
  const underWay = new Map<string, Promise<KeptFinding>>();
  const waiting = new Set<Promise<KeptFinding>>();
  const lanes = openLanes(parts.config.threads);

  async function compute(studyId: string, question: Question): Promise<KeptFinding> {
    await mkdir(folder, { recursive: true });
    return withTemporaryFolder(folder, async (made) => {
      if (question.space !== undefined) {
        const isThere = await kept.fetch(studyId, question.space, SPACE_CELLS, spaceTable(made));
        // Newer answers have taken its place while this question waited.
        if (!isThere) throw new ApiError("results_not_ready");
      }
      const finding = await withFolders(copies, question.samples, (folders) =>
        Promise.resolve(question.order(folders, made)).then((order) => lanes.ask(order)),
      );
      await kept.keep(studyId, question.key, question.kind, finding);
      const { files: _, ...found } = finding;
      return found;
    });
  }

  function begin(name: string, studyId: string, question: Question): Promise<KeptFinding> {
    if (waiting.size >= MAX_WAITING) {
      throw new ApiError(
        "rate_limited",
        "Other studies are being computed. Please try again soon.",
        { retryAfter: 10 },
      );
    }
    const finding = lanes.inTurn(question.lane, () =>
      computeOnce({ db, kept }, [studyId, question.key], () => compute(studyId, question)),
    );
    underWay.set(name, finding);
    waiting.add(finding);
    const forget = (): boolean => underWay.delete(name);
    finding
      // Whoever asks again soon is told of the failure instead of waiting for the next one.
      .then(forget, () => void setTimeout(forget, FAILURE_MS).unref())
      .finally(() => waiting.delete(finding));
    return finding;
  }

  return {
    async find(study, asked) {
      const question = await questionOf({ db, outputs, kept }, study, asked);
      if ("refusal" in question) return question;
      const found = await kept.read(study.id, question.key);
      if (found) return found;
      const name = `${study.id} ${question.key}`;
      const finding = underWay.get(name) ?? begin(name, study.id, question);
      const deadline = Promise.withResolvers<null>();
      const timer = setTimeout(() => deadline.resolve(null), TIMEOUT_MS);
      return Promise.race([finding, deadline.promise]).finally(() => clearTimeout(timer));
    },
    async file(study, asked, name) {
      const question = await questionOf({ db, outputs, kept }, study, asked);
      if ("refusal" in question) return null;
      return foundFile({ kept, reads }, { studyId: study.id, key: question.key, name });
    },
    [Symbol.asyncDispose]: () => lanes.end(),
  };
}

/** A thread for each kind of work, and turns at it. `count`: how many threads it may use for the tasks of an order. */
function openLanes(count: number) {
  const started = (module: string) => {
    const url = new URL(module, import.meta.url);
    const start = () => new OrderThread<Order["order"], Reply>(url, { threads: count });
    return new SteadyThread(start, IDLE_MS);
  };
  const threads = {
    compare: started("./compare-thread.ts"),
    space: started("./space-thread.ts"),
    combine: started("./combine-thread.ts"),
  };
  return {
    inTurn: serializeByKey<Order["lane"]>(),
    async ask({ lane, order }: Order): Promise<Finding> {
      const reply = await threads[lane].ask(order);
      if (!("failed" in reply)) return reply;
      await threads[lane].end();
      throw new Error(reply.failed);
    },
    async end(): Promise<void> {
      await Promise.all(Object.values(threads).map((thread) => thread.end()));
    },
  };
}

/** Calls `work` with a folder for each sample; its files stay until `work` has ended. */
function withFolders<T>(
  copies: LocalCopies,
  samples: Question["samples"],
  work: (folders: string[]) => Promise<T>,
  folders: string[] = [],
): Promise<T> {
  const next = samples.at(folders.length);
  if (!next) return work(folders);
  return copies.using(next.content, next.files, (folder) =>
    withFolders(copies, samples, work, [...folders, folder]),
  );
}
