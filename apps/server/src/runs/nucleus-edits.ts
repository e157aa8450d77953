import { join } from "node:path";
import { OWN_FILES } from "@stipple/contract/platforms/own-files";
import type { OwnedProject } from "../access/opened-results.ts";
import { readAnnotations } from "../annotations/annotations.ts";
import { cellsKeyOf } from "../annotations/cells.ts";
import { ApiError } from "../http/api-error.ts";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import { choicesOf } from "../projects/choices.ts";
import { cellMethod } from "../uploads/stored-fields.ts";
import { EDITED_NUCLEI } from "../uploads/edited-nuclei.ts";
import type { RunServices } from "./services.ts";

const [SLOT] = OWN_FILES.filter(({ id }) => id === "outlines");

type Parts = Pick<RunServices, "database" | "logger" | "outputs" | "scratch" | "uploads">;

/** Whether the nuclei of the results can be edited, and the edited ones that the project uses. */
export async function standingOfEdits(
  parts: Parts,
  project: OwnedProject,
): Promise<{ fault: string | null; in_use: string | null }> {
  const { uploads } = parts;
  const { outlines } = await uploads.complete(project.id);
  const isEdited = outlines === EDITED_NUCLEI;
  const choices = await choicesOf(parts, project.id);
  const found = isEdited ? await uploads.ownFindings(project, choices) : {};
  return {
    fault: await faultOfEditing(parts, project.id),
    in_use: isEdited ? (found.outlines?.sentence ?? "") : null,
  };
}

/** Why the nuclei cannot be edited, in one sentence; null if they can. */
async function faultOfEditing({ outputs }: Parts, projectId: string): Promise<string | null> {
  const method = await cellMethod(outputs, projectId);
  if (method === "network") return null;
  if (method === "given") {
    const manifests = await outputs.manifests(projectId);
    const params = manifests.find(({ step }) => step === 2)?.params as { outlinesAre?: string };
    if (params.outlinesAre === "nuclei") return null;
    return "These cells were outlined in another program and are used as they are: change them there, and add the file again.";
  }
  return method === "space_ranger"
    ? "These cells were outlined by Space Ranger. Run the analysis with the neural network to edit its nuclei."
    : "These results have no nuclei that could be edited.";
}

/**
 * Makes the nuclei of the results, with the edits that people made of them, the project's own outlines. Edits of other
 * results are left out. Throws invalid_request if there are none of these.
 */
export async function useNucleusEdits(
  parts: Parts,
  project: OwnedProject,
): Promise<{ before: number; after: number; edits: number; leftOut: number }> {
  const { outputs, scratch, uploads, database } = parts;
  const fault = await faultOfEditing(parts, project.id);
  if (fault) throw new ApiError("invalid_request", fault);
  const cells = await cellsKeyOf(outputs, project.id);
  const { items } = await readAnnotations(database.db, project.id);
  const all = items.flatMap((item) => (item.kind === "outlines" ? [item.value] : []));
  const edits = all.filter(({ cellsKey }) => cellsKey === cells);
  if (edits.length === 0) {
    throw new ApiError(
      "invalid_request",
      "No nucleus of these results was changed: edit some first.",
    );
  }
  return withTemporaryFolder(scratch.folder, async (folder) => {
    const path = join(folder, "nuclei.geojson");
    const outcome = await uploads.writeEdited(project.id, edits, path);
    if ("fault" in outcome) throw new ApiError("invalid_request", outcome.fault);
    await uploads.put(project.id, SLOT!, path, EDITED_NUCLEI);
    return { ...outcome, edits: edits.length, leftOut: all.length - edits.length };
  });
}
