import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { InputError } from "@stipple/pipeline/errors";
import {
  checkInputs,
  findSampleFiles,
  inputPaths,
  type SampleFiles,
} from "@stipple/pipeline/samples";
import type { AnalysisSettings } from "@stipple/pipeline/settings";
import { checkReferenceOutline } from "@stipple/pipeline/references";
import { MissingObjectError, type Storage } from "../storage/storage.ts";

/** A project's files to check together, under the names that readers look for. */
export interface SampleOrder {
  files: readonly { name: string; key: string; size: number }[];
  settings: AnalysisSettings;
  /** Folder for copies of them, best on the disk of a local storage: copies are then links. */
  scratch: string;
  /** Larger files are not fetched: what they hold remains for the run to check. */
  largestCopy: number;
}

/**
 * Why files that have each been accepted cannot be analyzed together, in one sentence; null if nothing speaks against
 * it. Reads no counts and no pixels.
 */
export async function faultOfSample(storage: Storage, order: SampleOrder): Promise<string | null> {
  const { settings, scratch, largestCopy } = order;
  const folder = await mkdtemp(join(scratch, "check-"));
  try {
    const listing = order.files.map(({ name, size }) => ({ path: name, size }));
    const { platform, resolution } = settings;
    const files = await findSampleFiles(folder, { platform, resolution, listing });
    const isSmall = (path: string): boolean =>
      order.files.some(({ name, size }) => join(folder, name) === path && size <= largestCopy);
    const checked = withoutLarge(files, isSmall);
    if (checked === null) return null;
    const { counts, positions, scalefactors, hires, lowres, image } = inputPaths(checked);
    for (const path of [...counts, ...positions, ...scalefactors, ...hires, ...lowres, ...image]) {
      const file = order.files.find(({ name }) => join(folder, name) === path)!;
      await storage.fetchTo(file.key, path);
    }
    await checkInputs(checked, settings, AbortSignal.timeout(LIMIT_MS));
    const reference = order.files.find(({ name }) => name === REFERENCE_SLOT.fileName);
    if (reference && reference.size <= largestCopy) {
      const path = join(folder, reference.name);
      await storage.fetchTo(reference.key, path);
      await checkReferenceOutline(path, settings.referenceLabels);
    }
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    // Removed or replaced meanwhile: whoever starts a run finds out.
    if (error instanceof MissingObjectError) return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const LIMIT_MS = 5 * 60_000;

/** The sample without a large image and without the larger form of its counts; null if too little is left. */
function withoutLarge(files: SampleFiles, isSmall: (path: string) => boolean): SampleFiles | null {
  const isComplete = (form: SampleFiles): boolean =>
    inputPaths(form).counts.every(isSmall) && isSmall(form.positions.path);
  const image = files.image !== null && isSmall(files.image) ? files.image : null;
  const forms = [files, { ...files, otherMatrix: null }];
  if (files.otherMatrix) forms.push({ ...files, matrix: files.otherMatrix, otherMatrix: null });
  const form = forms.find(isComplete);
  return form ? { ...form, image } : null;
}
