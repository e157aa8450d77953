import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { stepFolder } from "@stipple/contract";
import type { DetectionLook } from "@stipple/contract/routes/detection";
import { parametersOf, type StepParameters } from "../engine/parameters.ts";
import { FIELDS } from "../fields.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import type { AnalysisSettings } from "../settings.ts";
import { previewDetection } from "../steps/2-morphological-analysis/preview-detection.ts";
import { step } from "../steps/2-morphological-analysis/step.ts";
import { fieldFiles } from "../store/field-store.ts";
import { readResult } from "../store/results-folder.ts";
import type { Read, ReadKey } from "../views.ts";

const COPY = "image/working_copy";
/** What the first two steps have to have left. */
export const DETECTION_FIELDS = ["sample/image", "image/stain", "image/tissue_mask", COPY] as const;

/**
 * The nuclei in a tile of an image at several thresholds, from a results folder that has {@link DETECTION_FIELDS}. The
 * files are read only if there is no working copy. `place`: middle of the tile; null = the densest tissue.
 */
export async function lookAtDetection(
  results: string,
  given: { files: SampleFiles; settings: AnalysisSettings; parameters: StepParameters },
  place: readonly [number, number] | null,
  signal: AbortSignal,
): Promise<DetectionLook> {
  async function read<K extends ReadKey>(key: K): Promise<Read<K>> {
    return key === COPY ? ((await workingCopy(results)) as Read<K>) : readResult(results, key);
  }
  const { files, settings, parameters } = given;
  const params = parametersOf(step, parameters);
  return previewDetection({ files, read, params, settings, signal }, place);
}

/** Whether the sample's own image is not needed. */
export async function hasWorkingCopy(results: string): Promise<boolean> {
  return (await workingCopy(results)).length > 0;
}

async function workingCopy(results: string): Promise<string[]> {
  const folder = stepFolder(FIELDS[COPY].step);
  const names = await readdir(join(results, folder));
  const listed = names.map((name) => ({ path: `${folder}/${name}` }));
  return fieldFiles(COPY, listed).map(({ path }) => join(results, path));
}
