import { hash } from "node:crypto";
import {
  EXPORTS_FOLDER,
  STEP_NUMBERS,
  stepFolder,
  type StepNumber,
  type Study,
  type StudyDownload,
  type StudySample,
} from "@stipple/contract";
import { FIELDS, type FieldKey } from "@stipple/pipeline/fields";
import { fieldFiles } from "@stipple/pipeline/results";
import {
  CELL_FILE,
  QUALITY_FILES,
  qualityFrom,
  SUMMED_FIELDS,
  type SampleQuality,
} from "@stipple/pipeline/study";
import { ApiError } from "../http/api-error.ts";
import type { Outputs, StepRecord, StoredFile } from "../outputs/read.ts";

/** Finished results of a study's sample. */
export interface SampleResults {
  sample: StudySample;
  projectId: string;
  /** Equal for equal results, even those of other projects. */
  content: string;
  /** What `list` finds. Throws results_not_ready if a run has replaced these results by then. */
  files(list: () => Promise<StoredFile[]>): Promise<StoredFile[]>;
}

/** The results of all samples as far as these fields go (null: all of them), or why one has none: a sentence. */
export async function resultsOf(
  outputs: Outputs,
  { samples }: Study,
  fields: readonly FieldKey[] | null,
): Promise<SampleResults[] | { refusal: string }> {
  const found: SampleResults[] = [];
  for (const sample of samples) {
    const { project_id: projectId, name } = sample;
    if (projectId === null) {
      return {
        refusal: `The results of ${name} have ended with its project: remove it from the study.`,
      };
    }
    if (found.some((one) => one.sample.name === name)) {
      return { refusal: `Two samples are called ${name}: rename one of the projects.` };
    }
    const steps = await outputs.steps(projectId);
    if (steps.length < STEP_NUMBERS.length) {
      const isUnderWay = sample.waits || ["pending", "processing"].includes(sample.status ?? "");
      return {
        refusal: isUnderWay
          ? `${name} is still being analyzed: wait for it, or remove it from the study.`
          : `${name} is not analyzed yet: run it, or remove it from the study.`,
      };
    }
    const content = contentOf(steps, fields);
    const files = async (list: () => Promise<StoredFile[]>): Promise<StoredFile[]> => {
      const listed = await list();
      const isThere = contentOf(await outputs.steps(projectId), fields) === content;
      if (!isThere) throw new ApiError("results_not_ready");
      return listed;
    };
    found.push({ sample, projectId, content, files });
  }
  return found;
}

/** The files of a sample's fields. */
export async function filesOfFields(
  outputs: Outputs,
  projectId: string,
  fields: readonly FieldKey[],
): Promise<StoredFile[]> {
  const all = await outputs.below(
    projectId,
    stepsOf(fields).map((step) => stepFolder(step)),
  );
  return fields.flatMap((key) => fieldFiles(key, all));
}

/** A sample's quality; null if it has no complete results. */
export async function storedQuality(
  outputs: Outputs,
  projectId: string | null,
): Promise<SampleQuality | null> {
  if (projectId === null) return null;
  const [statistics, provenance] = await Promise.all(
    QUALITY_FILES.map((path) => outputs.json(projectId, path)),
  );
  return statistics && provenance ? qualityFrom(statistics, provenance) : null;
}

/** The files of a sample from which all samples are written as one file. */
export async function combinedFiles(
  outputs: Outputs,
  projectId: string,
  part: StudyDownload,
): Promise<StoredFile[]> {
  const exported = await outputs.below(projectId, [EXPORTS_FOLDER]);
  const folder = { h5ad: null, report: null, seurat: "seurat", spatialdata: "spatialdata.zarr" }[
    part
  ];
  const own = exported.filter(
    ({ path }) =>
      path === `${EXPORTS_FOLDER}/${CELL_FILE}` ||
      (folder !== null && path.startsWith(`${EXPORTS_FOLDER}/${folder}/`)),
  );
  if (part !== "report") return own;
  const quality = exported.filter(({ path }) => QUALITY_FILES.some((name) => name === path));
  return [...own, ...quality, ...(await filesOfFields(outputs, projectId, SUMMED_FIELDS))];
}

function stepsOf(fields: readonly FieldKey[]): StepNumber[] {
  return [...new Set(fields.map((key) => FIELDS[key].step))];
}

function contentOf(steps: readonly StepRecord[], wanted: readonly FieldKey[] | null): string {
  const read = steps
    .filter(({ step }) => wanted === null || stepsOf(wanted).includes(step))
    .map(({ step, key, fields }) => [step, key, Object.entries(fields).sort()]);
  return hash("sha256", JSON.stringify([wanted, read]), "base64url");
}
