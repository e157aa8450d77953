import type {
  AnalysisOptions,
  DetectionAnswer,
  PiecesAnswer,
  RegistrationAnswer,
  RunChoices,
} from "@stipple/contract";
import { DETECTION_FIELDS, type OwnFileFindings } from "@stipple/pipeline/samples";
import type { InputFile } from "../outputs/input-reads.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { EditOrder, EditOutcome } from "./edit-nuclei.ts";
import type { FileChecker, LabelOrder, LabelOutcome } from "./file-checker.ts";
import { foundCells } from "./found-cells.ts";
import type { SampleChecks } from "./sample-checks.ts";
import { storedFields } from "./stored-fields.ts";
import { whileThere } from "./while-there.ts";

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

export function openSampleAnswers(
  parts: { outputs: Outputs; scratch: Scratch },
  sampleChecks: SampleChecks,
  checker: FileChecker,
  inputs: (projectId: string) => Promise<InputFile[]>,
): SampleAnswers {
  const checked = <T>({ id }: { id: string }, check: (files: InputFile[]) => Promise<T>) =>
    whileThere(() => inputs(id), check);
  return {
    faultOfSample: (project, choices) =>
      checked(project, (files) => sampleChecks.fault(project, choices, files)),
    ownFindings: (project, choices) =>
      checked(project, async (files) => {
        const hasOutlines = files.some(({ slot }) => slot === "outlines");
        const found = hasOutlines ? await foundCells(parts, project.id) : null;
        return sampleChecks.findings(project, choices, files, found);
      }),
    registration: (project, choices) =>
      checked(project, (files) => sampleChecks.registration(project, choices, files)),
    pieces: (project, choices) =>
      checked(project, (files) => sampleChecks.pieces(project, choices, files)),
    labels: (order) => checker.labels(order),
    detection: (project, choices, place) =>
      checked(project, async (files) => {
        const stored = await storedFields(parts, project.id, DETECTION_FIELDS);
        return stored
          ? sampleChecks.detection(project, choices, files, stored, place)
          : { look: null, fault: EARLY };
      }),
    async writeEdited(projectId, edits, path) {
      const stored = await storedFields(parts, projectId, ["nuclei/polygon"]);
      if (!stored)
        return { fault: "The nuclei of these results are gone: run the analysis again." };
      return stored.within((found) => checker.edit({ found, edits, path }));
    },
  };
}
