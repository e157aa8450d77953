import { join } from "node:path";
import type { PiecesAnswer, RegistrationAnswer, RunChoices } from "@stipple/contract";
import { isOwnFile } from "@stipple/contract/platforms/own-files";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import {
  checkInputs,
  findSampleFiles,
  inputPaths,
  lookAtOwnFiles,
  lookAtRegistration,
  lookForPieces,
  type AddedFiles,
  type InputName,
  type Outlines,
  type OwnFileFindings,
  type SampleFiles,
} from "@stipple/pipeline/samples";
import type { AnalysisSettings } from "@stipple/pipeline/settings";
import { checkReferenceOutline } from "@stipple/pipeline/references";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import type { Storage } from "../storage/storage.ts";
import { compareOutlines } from "./compare-outlines.ts";
import { copyName } from "./check-copy.ts";
import { catchInputError } from "./catch-input-error.ts";
import { coordinatePairs } from "./coordinate-pairs.ts";

/** A project's files to check together, under the names that readers look for. */
export interface SampleOrder {
  files: readonly OrderedFile[];
  settings: AnalysisSettings;
  /** Folder for copies of them, best on the disk of a local storage: copies are then links. */
  scratch: string;
  /** Larger files are not fetched: what they hold remains for the run to check. */
  largestCopy: number;
  /** What to tell rather than only what is wrong: of the user's own files, the spots' places, or the pieces of tissue. */
  look?: "own files" | "registration" | "detection" | "pieces";
  /** Results folder with what a run has left: cells that outlines are compared with, or what finding nuclei starts from. */
  found?: string;
  /** How nuclei of a tile are to be found, and where: its middle in full-resolution px, or null for the densest tissue. */
  tile?: { parameters: RunChoices["parameters"]; place: readonly [number, number] | null };
}

interface OrderedFile {
  slot: string;
  name: string;
  fileName: string;
  key: string;
  size: number;
}

/**
 * Why files that have each been accepted cannot be analyzed together, in one sentence; null if nothing speaks against
 * it. Reads no counts and no pixels.
 */
export async function faultOfSample(storage: Storage, order: SampleOrder): Promise<string | null> {
  const { settings, largestCopy } = order;
  const checking = withCopies(storage, order, async (files, folder) => {
    // A fault of the alignment is a fault of the sample's places, so its own sentence comes first.
    const found = hasOwn(files) ? await lookAtOwnFiles(files, settings, { signal: limit() }) : {};
    const fault = Object.values(found).find(({ isFault }) => isFault);
    if (fault) return fault.sentence;
    await checkInputs(files, settings, limit());
    const reference = order.files.find(({ name }) => name === REFERENCE_SLOT.fileName);
    if (reference && reference.size <= largestCopy) {
      const path = join(folder, reference.name);
      await storage.fetchTo(reference.key, path);
      await checkReferenceOutline(path, settings.referenceLabels);
    }
    return null;
  });
  return catchInputError(checking, (sentence) => sentence);
}

/** What the user's own files hold, or why each cannot be used; none if the sample itself cannot be used. */
export async function lookAtSample(storage: Storage, order: SampleOrder): Promise<OwnFileFindings> {
  const { found: results, settings } = order;
  const compare = results
    ? {
        onOutlines: (outlines: Outlines, path: string) => compareOutlines(outlines, path, results),
      }
    : {};
  const looking = withCopies(storage, order, (files) =>
    lookAtOwnFiles(files, settings, { signal: limit(), ...compare }),
  );
  return (await catchInputError(looking, () => null)) ?? {};
}

/** Where the spots lie on the image, or why that cannot be seen. */
export async function registrationOfSample(
  storage: Storage,
  order: SampleOrder,
): Promise<RegistrationAnswer> {
  const looking = withCopies(storage, order, (files) =>
    lookAtRegistration(files, order.settings, limit()),
  ).then((look) => ({ look, fault: look ? null : unseen(order) }));
  return catchInputError<RegistrationAnswer>(looking, (fault) => ({ look: null, fault }));
}

/** Why there is no image to compare the positions with. */
function unseen({ files, largestCopy }: SampleOrder): string {
  return files.some(({ size }) => size > largestCopy)
    ? "The image is too large to be compared with the positions before the run, which compares them itself."
    : "The sample has no image to compare the positions with: upload one.";
}

/** The pieces of tissue on the slide, or why they cannot be looked for. */
export async function piecesOfSample(storage: Storage, order: SampleOrder): Promise<PiecesAnswer> {
  const looking = withCopies(storage, order, (files) =>
    lookForPieces(files, order.settings, limit()),
  ).then((found) => ({
    pieces: (found?.pieces ?? []).map(({ name, nSpots, polygons }) => ({
      name,
      n_spots: nSpots,
      polygons: coordinatePairs(polygons),
    })),
    noun: found?.noun ?? "spot",
    fault: null,
  }));
  return catchInputError<PiecesAnswer>(looking, (fault) => ({ pieces: [], noun: "spot", fault }));
}

/** Copies what is read of a sample for the time of `use`; null if too little of it is small enough. */
export async function withCopies<T>(
  storage: Storage,
  order: SampleOrder,
  use: (files: SampleFiles, folder: string) => Promise<T>,
  wanted: readonly InputName[] = [
    "counts",
    "positions",
    "scalefactors",
    "hires",
    "lowres",
    "image",
  ],
): Promise<T | null> {
  const { settings, scratch, largestCopy } = order;
  return withTemporaryFolder(scratch, async (folder) => {
    const sample = order.files.filter(({ slot }) => !isOwnFile(slot));
    const listing = sample.map(({ name, size }) => ({ path: name, size }));
    const { platform, resolution } = settings;
    const files = await findSampleFiles(folder, { platform, resolution, listing });
    const isSmall = (path: string): boolean =>
      sample.some(({ name, size }) => join(folder, name) === path && size <= largestCopy);
    const checked = withoutLarge(files, isSmall);
    if (checked === null) return null;
    const paths = inputPaths(checked);
    for (const path of wanted.flatMap((name) => paths[name])) {
      await storage.fetchTo(sample.find(({ name }) => join(folder, name) === path)!.key, path);
    }
    const added: AddedFiles = {};
    const isUnseen = files.image !== null && !(checked.image ?? checked.hires ?? checked.lowres);
    for (const { slot, fileName, key, size } of order.files) {
      if (!isOwnFile(slot) || size > largestCopy) continue;
      // What is measured in the image's pixels is then for the run to check, too.
      if (isUnseen && (slot === "outlines" || /\.tiff?$/i.test(fileName))) continue;
      added[slot] = join(folder, slot, copyName(fileName));
      await storage.fetchTo(key, added[slot]);
    }
    return use({ ...checked, ...added }, folder);
  });
}

function hasOwn({ alignment, outlines, regions, excluded, kept }: SampleFiles): boolean {
  return [alignment, outlines, regions, excluded, kept].some(Boolean);
}

const LIMIT_MS = 5 * 60_000;

export function limit(): AbortSignal {
  return AbortSignal.timeout(LIMIT_MS);
}

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
