import { readResult } from "@stipple/pipeline/results";
import { writeEditedNuclei, type NucleusEdit } from "@stipple/pipeline/samples";
import { catchInputError } from "./catch-input-error.ts";

/** Nuclei of a results folder to be written to a file with edits applied. */
export interface EditOrder {
  found: string;
  edits: readonly NucleusEdit[];
  path: string;
}
/** The numbers of nuclei before and after, or what is wrong with the edits, in one sentence. */
export type EditOutcome = { before: number; after: number } | { fault: string };

export function editNuclei({ found, edits, path }: EditOrder): Promise<EditOutcome> {
  const editing = readResult(found, "nuclei/polygon").then((nuclei) =>
    writeEditedNuclei(path, nuclei, edits),
  );
  return catchInputError<EditOutcome>(editing, (fault) => ({ fault }));
}
