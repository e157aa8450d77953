import { InputError } from "@stipple/pipeline/errors";
import { readResult } from "@stipple/pipeline/results";
import { writeEditedNuclei, type NucleusEdit } from "@stipple/pipeline/samples";

/** Nuclei of a results folder to be written to a file with edits applied. */
export interface EditOrder {
  found: string;
  edits: readonly NucleusEdit[];
  path: string;
}
/** The numbers of nuclei before and after, or what is wrong with the edits, in one sentence. */
export type EditOutcome = { before: number; after: number } | { fault: string };

export async function editNuclei({ found, edits, path }: EditOrder): Promise<EditOutcome> {
  try {
    return await writeEditedNuclei(path, await readResult(found, "nuclei/polygon"), edits);
  } catch (error) {
    if (error instanceof InputError) return { fault: error.message };
    throw error;
  }
}
