import { createHash } from "node:crypto";
import type {
  AnalysisOptions,
  DetectionAnswer,
  PiecesAnswer,
  RegistrationAnswer,
  RunChoices,
} from "@stipple/contract";
import type { OwnFileFindings } from "@stipple/pipeline/samples";
import type { InputFile } from "../outputs/input-reads.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { runSettings } from "../projects/run-settings.ts";
import type { SampleOrder } from "./check-sample.ts";
import type { StoredFields } from "./stored-fields.ts";
import type { FileChecker } from "./file-checker.ts";
import { Remembered } from "./remembered.ts";

/** From a bucket, larger files are not fetched just to check them. */
const MAX_COPY_BYTES = 500e6;

/** Each has up to a megabyte. */
const PICTURES_KEPT = 20;

type Project = { name: string; options: AnalysisOptions };

/** Checks of a project's complete files together, in another process, once for the same files and options. */
export interface SampleChecks {
  /** Why they cannot be analyzed together, in one sentence; null if nothing speaks against it. */
  fault(
    project: Project,
    choices: RunChoices,
    inputs: readonly InputFile[],
  ): Promise<string | null>;
  /** What is in the user's own files among them; none until the sample itself is complete. */
  findings(
    project: Project,
    choices: RunChoices,
    inputs: readonly InputFile[],
    /** Cells to compare outlines with. */
    found: StoredFields | null,
  ): Promise<OwnFileFindings>;
  /** Where the spots lie on the image. */
  registration(
    project: Project,
    choices: RunChoices,
    inputs: readonly InputFile[],
  ): Promise<RegistrationAnswer>;
  /** The nuclei of a tile at several thresholds, from what the first steps have left. */
  detection(
    project: Project,
    choices: RunChoices,
    inputs: readonly InputFile[],
    found: StoredFields,
    place: readonly [number, number] | null,
  ): Promise<DetectionAnswer>;
  /** The pieces of tissue on the slide. */
  pieces(
    project: Project,
    choices: RunChoices,
    inputs: readonly InputFile[],
  ): Promise<PiecesAnswer>;
}

export function openSampleChecks(parts: {
  checker: FileChecker;
  scratch: Scratch;
  isLocal: boolean;
}): SampleChecks {
  const { checker, scratch, isLocal } = parts;

  function once<T>(
    nothing: T,
    check: (order: SampleOrder, found: StoredFields | null) => Promise<T>,
    kept = 500,
  ) {
    const checks = new Remembered<Promise<T>>(kept);
    return async (
      project: Project,
      choices: RunChoices,
      inputs: readonly InputFile[],
      stored: StoredFields | null = null,
      tile: SampleOrder["tile"] = undefined,
    ): Promise<T> => {
      if (inputs.length === 0) return nothing;
      const settings = runSettings({ ...project, choices }, inputs);
      const known = createHash("sha256")
        .update(
          JSON.stringify([
            inputs.map(({ slot, digest }) => [slot, digest]),
            ...[settings, stored?.key, tile],
          ]),
        )
        .digest("hex");
      const before = checks.get(known);
      if (before) return before;
      const order: SampleOrder = {
        files: inputs.map(({ slot, name, fileName, storageKey, size }) => ({
          ...{ slot, name, fileName, size },
          key: storageKey,
        })),
        settings,
        scratch: scratch.folder,
        largestCopy: isLocal ? Number.MAX_SAFE_INTEGER : MAX_COPY_BYTES,
        ...(tile && { tile }),
      };
      const found = check(order, stored);
      // A check that failed says nothing about the files.
      found.catch(() => checks.delete(known));
      checks.set(known, found);
      return found;
    };
  }

  const detected = once<DetectionAnswer>(
    { look: null, fault: null },
    (order, stored) => stored!.within((found) => checker.detection({ ...order, found })),
    PICTURES_KEPT,
  );

  return {
    fault: once<string | null>(null, (order) => checker.faultOf(order)),
    findings: once<OwnFileFindings>({}, (order, cells) =>
      cells ? cells.within((found) => checker.look({ ...order, found })) : checker.look(order),
    ),
    registration: once<RegistrationAnswer>(
      { look: null, fault: null },
      (order) => checker.registration(order),
      PICTURES_KEPT,
    ),
    detection: (project, choices, inputs, stored, place) =>
      detected(project, choices, inputs, stored, { parameters: choices.parameters, place }),
    pieces: once<PiecesAnswer>({ pieces: [], noun: "spot", fault: null }, (order) =>
      checker.pieces(order),
    ),
  };
}
