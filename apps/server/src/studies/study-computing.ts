import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Study } from "@stipple/contract";
import type { FieldKey } from "@stipple/pipeline/fields";
import { spaceFields, SUMMED_FIELDS, type SpaceKind } from "@stipple/pipeline/study";
import { ApiError } from "../http/api-error.ts";
import type { Database } from "../db/database.ts";
import { openLocalCopies, type LocalCopies } from "../outputs/local-copies.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { openFindings } from "./findings.ts";
import type { CompareOrder, KeptFinding, OrderedSample, SpaceOrder } from "./messages.ts";
import { filesOfFields, resultsOf, type SampleResults } from "./sample-results.ts";
import { StudyThread } from "./study-thread.ts";

/** What a comparison of a study asks for. */
export interface AskedComparison {
  groups: [string, string] | null;
  usesPatients: boolean;
  usesBatches: boolean;
}

export type Asked = AskedComparison | SpaceKind;

/** Compares samples in a thread, and places them in one space in another, one study after the other. */
export interface StudyComputing extends AsyncDisposable {
  /**
   * What is found; null while it is computed. What was found is kept by the content of the results and the design, so that
   * a sample's rerun asks for another one.
   */
  find(study: Study, asked: Asked): Promise<KeptFinding | null>;
  /** A file of what was found; null if there is none, or it has not been computed. */
  file(study: Study, asked: Asked, name: string): Promise<Buffer | null>;
}

/** Copies beyond this are removed; hard links to a local storage take no space. */
const MAX_BYTES = 20 * 1024 ** 3;
const MAX_WAITING = 8;
/** A caller waits this long before it is told that it takes longer. */
const PATIENCE_MS = 1_000;
const FAILURE_MS = 10_000;
/** Raised when a comparison finds something else, or says it in another form. */
const FINDING_VERSION = 2;
/** The same of joint spaces. */
const SPACE_VERSION = 1;

export function openStudyComputing(parts: {
  database: Database;
  outputs: Outputs;
  scratch: Scratch;
}): StudyComputing {
  const { database, outputs, scratch } = parts;
  const kept = openFindings(database);
  const copies = openLocalCopies(outputs, {
    folder: join(scratch.folder, "studies"),
    mostBytes: MAX_BYTES,
  });
  /** What is being computed, or has failed just now, by study and by what was asked of which content. */
  const underWay = new Map<string, Promise<KeptFinding>>();
  const waiting = new Set<Promise<KeptFinding>>();
  const lanes = {
    compare: openLane(new StudyThread<CompareOrder>("./compare-thread.ts")),
    space: openLane(new StudyThread<SpaceOrder>("./space-thread.ts")),
  };

  async function compute(studyId: string, question: Question) {
    const { key, results, fields, asked } = question;
    const finding = await withFolders({ copies, outputs, fields }, results, (folders) => {
      const samples = question.samples.map((sample, i) => ({ ...sample, folder: folders[i] }));
      return "of" in asked
        ? lanes.space.thread.ask({ samples, kind: asked, scratch: scratch.folder })
        : lanes.compare.thread.ask({ samples, groups: asked.groups });
    });
    await kept.keep(studyId, key, finding);
    const { files: _, ...found } = finding;
    return found;
  }

  function begin(
    name: string,
    { inTurn }: { inTurn: typeof lanes.space.inTurn },
    work: () => Promise<KeptFinding>,
  ): Promise<KeptFinding> {
    if (waiting.size >= MAX_WAITING) {
      throw new ApiError(
        "rate_limited",
        "Other studies are being computed. Please try again soon.",
        {
          retryAfter: 10,
        },
      );
    }
    const finding = inTurn(work);
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
      const question = await questionOf(outputs, study, asked);
      if ("refusal" in question) return question;
      const found = await kept.read(study.id, question.key);
      if (found) return found;
      const name = `${study.id} ${question.key}`;
      const lane = "of" in asked ? lanes.space : lanes.compare;
      const finding = underWay.get(name) ?? begin(name, lane, () => compute(study.id, question));
      const patience = Promise.withResolvers<null>();
      const timer = setTimeout(() => patience.resolve(null), PATIENCE_MS);
      return Promise.race([finding, patience.promise]).finally(() => clearTimeout(timer));
    },
    async file(study, asked, name) {
      const question = await questionOf(outputs, study, asked);
      return "refusal" in question ? null : kept.file(study.id, question.key, name);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(lanes).map(({ thread }) => thread.end()));
    },
  };
}

/** A thread, and turns at it. */
function openLane<Order>(thread: StudyThread<Order>) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    thread,
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      const done = last.then(work, work);
      last = done.catch(() => undefined);
      return done;
    },
  };
}

/** Calls `work` with a folder for each sample; its files stay until `work` has ended. */
function withFolders<T>(
  parts: { copies: LocalCopies; outputs: Outputs; fields: readonly FieldKey[] },
  results: readonly SampleResults[],
  work: (folders: string[]) => Promise<T>,
  folders: string[] = [],
): Promise<T> {
  const next = results[folders.length];
  if (!next) return work(folders);
  return parts.copies.using(
    next.content,
    () => filesOfFields(parts.outputs, next.projectId, parts.fields),
    (folder) => withFolders(parts, results, work, [...folders, folder]),
  );
}

/** What is asked of which results. Equal keys have equal findings. */
interface Question {
  key: string;
  results: SampleResults[];
  fields: readonly FieldKey[];
  samples: Sample[];
  asked: Asked;
}

async function questionOf(
  outputs: Outputs,
  study: Study,
  asked: Asked,
): Promise<Question | { refusal: string }> {
  const fields = "of" in asked ? spaceFields(asked) : SUMMED_FIELDS;
  const results = await resultsOf(outputs, study, fields);
  if ("refusal" in results) return results;
  const samples = results.map((one) => sampleOf(one, asked));
  const question = "of" in asked ? [SPACE_VERSION, asked.of, asked.on] : [asked.groups];
  const key = createHash("sha256")
    .update(JSON.stringify([FINDING_VERSION, samples, ...question]))
    .digest("base64url");
  return { key, results, fields, samples, asked };
}

type Sample = Omit<OrderedSample, "folder">;

function sampleOf({ sample, content }: SampleResults, asked: Asked): Sample {
  const isSpace = "of" in asked;
  return {
    ...{ name: sample.name, content, condition: sample.condition },
    patient: !isSpace && asked.usesPatients ? sample.patient : "",
    batch: isSpace || asked.usesBatches ? sample.batch : "",
  };
}
