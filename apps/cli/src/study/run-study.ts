import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { STUDY_TABLE } from "@stipple/contract/routes/studies";
import { NOTED_FILES } from "@stipple/contract/sample-sheet";
import { analysis, type RunListener, type RunRequest } from "@stipple/pipeline";
import { CancelledError, InputError } from "@stipple/pipeline/errors";
import { qualityOf, studyTable, type SampleQuality } from "@stipple/pipeline/study";
import { SheetError, type SampleSheet, type StudySample } from "./sheet.ts";

/** What became of a sample. */
type Outcome =
  | { sample: StudySample; quality: SampleQuality }
  /** Why there are no results. */
  | { sample: StudySample; failure: string };

export interface StudyOptions {
  out: string;
  threads: number;
  signal: AbortSignal;
  listener: RunListener;
  say(line: string): void;
  /** Throws {@link InputError} for a sample that needs more memory or disk space than there is. */
  checkRoom(request: RunRequest): Promise<void>;
  /** Whether samples are analyzed in spite of that, or of an image that does not seem to match the spots. */
  force?: boolean | undefined;
}

/**
 * Checks all samples before the first is analyzed, then analyzes one after the other into a folder of its name. Steps
 * whose results are there and up to date are not repeated, so that the same command resumes. A sample that fails does not
 * stop the others. Throws {@link SheetError} with a sentence for each sample that cannot be analyzed.
 */
export async function runStudy(sheet: SampleSheet, options: StudyOptions): Promise<Outcome[]> {
  const requests = sheet.samples.map((sample) => requestOf(sample, options));
  const faults: string[] = [];
  for (const [i, request] of requests.entries()) {
    try {
      mkdirSync(request.results, { recursive: true });
      await analysis.check(await analysis.plan(null, request), request);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.push(`${sheet.samples[i].name}: ${error.message}`);
    }
  }
  if (faults.length > 0) throw new SheetError(faults);
  const outcomes: Outcome[] = [];
  for (const [i, request] of requests.entries()) {
    const sample = sheet.samples[i];
    options.say(`Sample ${i + 1} of ${requests.length}: ${sample.name}`);
    outcomes.push(await analyzeSample(sample, request, options));
    await writeStudyTable(join(options.out, STUDY_TABLE), sheet, outcomes);
  }
  return outcomes;
}

function requestOf(
  { name, input, files, settings }: StudySample,
  { out, threads, signal, listener }: StudyOptions,
): RunRequest {
  return { input, ...files, results: join(out, name), settings, threads, signal, listener };
}

async function analyzeSample(
  sample: StudySample,
  asked: RunRequest,
  { signal, say, checkRoom, force }: StudyOptions,
): Promise<Outcome> {
  try {
    let request = asked;
    let planned = await analysis.plan(null, request);
    // Finished samples stay as they are: the parameter alone would repeat their steps.
    if (planned.length > 0 && force) {
      request = { ...asked, parameters: { "optical-decomposition": { acceptImage: true } } };
      planned = await analysis.plan(null, request);
    }
    if (planned.length === 0) say("  Its results are up to date.");
    else if (!force) await checkRoom(request);
    await analysis.clear(request.results, planned);
    for (const step of planned) await analysis.runStep(step, request);
    return { sample, quality: await qualityOf(request.results) };
  } catch (error) {
    if (signal.aborted || error instanceof CancelledError) throw error;
    const failure = error instanceof Error ? error.message : String(error);
    say(`  ${failure}`);
    return { sample, failure };
  }
}

/** Writes the study's table: a row for each sample, its design, and its quality or why it has none. */
async function writeStudyTable(
  path: string,
  { design, samples }: SampleSheet,
  outcomes: readonly Outcome[],
): Promise<void> {
  const noted = NOTED_FILES.filter((role) => samples.some(({ files }) => files[role]));
  const filesOf = ({ files }: StudySample) =>
    noted.map((role) => [role, files[role] ? relative(dirname(path), files[role]) : ""]);
  const others = samples.slice(outcomes.length);
  const all = [...outcomes, ...others.map((sample) => ({ sample, failure: "not analyzed yet" }))];
  const rows = all.map((outcome) => ({
    name: outcome.sample.name,
    design: { ...outcome.sample.design, ...Object.fromEntries(filesOf(outcome.sample)) },
    quality: "quality" in outcome ? outcome.quality : null,
    failure: "failure" in outcome ? outcome.failure : "",
  }));
  await writeFile(path, studyTable([...design, ...noted], rows));
}
