import { hash } from "node:crypto";
import type {
  AnalysisOptions,
  DetectionAnswer,
  PiecesAnswer,
  RegistrationAnswer,
  RunChoices,
} from "@stipple/contract";
import { DETECTION_FIELDS, type OwnFileFindings } from "@stipple/pipeline/samples";
import { BoundedMap } from "../operations/bounded-map.ts";
import { damagedInput } from "../outputs/damage.ts";
import type { InputFile } from "../outputs/input-reads.ts";
import { runSettings } from "../projects/run-settings.ts";
import { DamagedFileError } from "../storage/damage-errors.ts";
import type { SampleOrder } from "./check-sample.ts";
import type { EditOrder, EditOutcome } from "./edit-nuclei.ts";
import type { FileChecker, LabelOrder, LabelOutcome } from "./file-checker.ts";
import { foundCells, storedFields, type StoredFields } from "./stored-fields.ts";
import type { UploadParts } from "./uploads.ts";
import { checkCurrentFiles } from "./check-current-files.ts";

type AskedProject = { id: string; name: string; options: AnalysisOptions };

/** What can be asked of a project's complete files before a run. */
export interface SampleAnswers {
  /**
   * Why the project's complete files cannot be analyzed together, in one sentence; null if nothing speaks against it.
   * Checked in another process, once for the same files and options.
   */
  faultOfSample(project: AskedProject, choices: RunChoices): Promise<string | null>;
  /** What the user's own files among them hold, or why each cannot be used; none until the sample is complete. */
  ownFindings(project: AskedProject, choices: RunChoices): Promise<OwnFileFindings>;
  /** Where the spots of its complete files lie on the image. */
  registration(project: AskedProject, choices: RunChoices): Promise<RegistrationAnswer>;
  /** The pieces of tissue on the slide of its complete files. */
  pieces(project: AskedProject, choices: RunChoices): Promise<PiecesAnswer>;
  /** The regions in a label image on the local disk. */
  labels(order: LabelOrder): Promise<LabelOutcome>;
  /** Why regions drawn in the view (GeoJSON) cannot be used, in one sentence; null if they can. */
  faultOfDrawing(drawing: string): Promise<string | null>;
  /** The nuclei of a tile (its middle, px; null = the densest tissue) at several thresholds. */
  detection(
    project: AskedProject,
    choices: RunChoices,
    place: readonly [number, number] | null,
  ): Promise<DetectionAnswer>;
  /** Writes the nuclei of the project's results to a file, with edits applied, in another process. */
  writeEdited(projectId: string, edits: EditOrder["edits"], path: string): Promise<EditOutcome>;
}

const EARLY = "Nuclei can be shown at different thresholds once the first two steps have run.";

/** From a bucket, larger files are not fetched just to check them. */
const MAX_COPY_BYTES = 500e6;

/** Each has up to a megabyte. */
const PICTURES_KEPT = 20;

interface Parts extends Pick<UploadParts, "outputs" | "scratch" | "reads"> {
  checker: FileChecker;
  /** Whether the storage is a local folder. */
  isLocal: boolean;
  inputs: (projectId: string) => Promise<InputFile[]>;
}

export function openSampleAnswers(parts: Parts): SampleAnswers {
  const { checker } = parts;
  const blank = { look: null, fault: null };
  const detected = answering<DetectionAnswer>(parts, blank, {
    ask: (order, stored) =>
      stored!.within((found) => checker.look("detection", { ...order, found })),
    kept: PICTURES_KEPT,
    found: (id) => storedFields(parts, id, DETECTION_FIELDS),
    early: { look: null, fault: EARLY },
  });
  const faultOf = answering<string | null>(parts, null, { ask: (order) => checker.faultOf(order) });
  return {
    async faultOfSample(project, choices) {
      try {
        const fault = await faultOf(project, choices);
        return fault && ((await damageAmong(parts, project.id))?.message ?? fault);
      } catch (error) {
        if (error instanceof DamagedFileError) return error.message;
        throw error;
      }
    },
    ownFindings: answering<OwnFileFindings>(
      parts,
      {},
      {
        ask: (order, cells) =>
          cells
            ? cells.within((found) => checker.look("own files", { ...order, found }))
            : checker.look("own files", order),
        found: async (id, files) =>
          files.some(({ slot }) => slot === "outlines") ? foundCells(parts, id) : null,
      },
    ),
    registration: answering<RegistrationAnswer>(parts, blank, {
      ask: (order) => checker.look("registration", order),
      kept: PICTURES_KEPT,
    }),
    pieces: answering<PiecesAnswer>(
      parts,
      { pieces: [], noun: "spot", fault: null },
      { ask: (order) => checker.look("pieces", order) },
    ),
    labels: (order) => checker.labels(order),
    faultOfDrawing: (drawing) => checker.faultOf({ drawing }),
    detection: (project, choices, place) =>
      detected(project, choices, { parameters: choices.parameters, place }),
    async writeEdited(projectId, edits, path) {
      const stored = await storedFields(parts, projectId, ["nuclei/polygon"]);
      if (!stored)
        return { fault: "The nuclei of these results are gone: run the analysis again." };
      return stored.within((found) => checker.edit({ found, edits, path }));
    },
  };
}

/** What is damaged is no fault of the user's files; null if all are as they were sent. */
async function damageAmong(
  { reads, inputs }: Pick<Parts, "reads" | "inputs">,
  projectId: string,
): Promise<DamagedFileError | null> {
  const files = await inputs(projectId);
  for (const { name, storageKey, size, digest } of files.toSorted((a, b) => a.size - b.size)) {
    if (!(await reads.isSound(storageKey, { size, chunks: digest })))
      return damagedInput(name, "damaged", null);
  }
  return null;
}

/**
 * Answers a question about a project's complete files, in another process, once for the same files and options. Throws a
 * DamagedFileError if they cannot be read.
 */
function answering<T>(
  parts: Parts,
  /** The answer where there are no files. */
  nothing: T,
  how: {
    ask: (order: SampleOrder, found: StoredFields | null) => Promise<T>;
    /** How many answers are remembered. */
    kept?: number;
    /** What results the question is about. */
    found?: (projectId: string, files: readonly InputFile[]) => Promise<StoredFields | null>;
    /** The answer where there are none. */
    early?: T;
  },
) {
  const { scratch, isLocal, inputs } = parts;
  const { ask, kept = 500, found, early } = how;
  const answers = new BoundedMap<Promise<T>>(kept);
  return (project: AskedProject, choices: RunChoices, tile?: SampleOrder["tile"]): Promise<T> =>
    checkCurrentFiles(
      () => inputs(project.id),
      async (files) => {
        const stored = (await found?.(project.id, files)) ?? null;
        if (!stored && early !== undefined) return early;
        if (files.length === 0) return nothing;
        const settings = runSettings({ ...project, choices }, files);
        // Not by digests: an object that was damaged when it was asked about has another key once it is repaired.
        const contents = files.map(({ slot, storageKey }) => [slot, storageKey]);
        const about = hash("sha256", JSON.stringify([contents, settings, stored?.key, tile]));
        const before = answers.get(about);
        if (before) return before;
        const order: SampleOrder = {
          files: files.map(({ slot, name, fileName, storageKey: key, size }) => ({
            ...{ slot, name, fileName, key, size },
          })),
          settings,
          scratch: scratch.folder,
          largestCopy: isLocal ? Number.MAX_SAFE_INTEGER : MAX_COPY_BYTES,
          ...(tile && { tile }),
        };
        const answer = ask(order, stored);
        // A check that failed says nothing about the files.
        answer.catch(() => answers.delete(about));
        answers.set(about, answer);
        return answer;
      },
    ).catch(async (error: unknown) => {
      throw (await damageAmong(parts, project.id)) ?? error;
    });
}
