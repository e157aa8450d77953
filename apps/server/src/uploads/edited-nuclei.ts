import type { RunChoices } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import { keepChoices } from "../projects/choices.ts";

/** The name by which edited nuclei are known from a file that was uploaded. */
export const EDITED_NUCLEI = "nuclei edited in the view.geojson";
const STEP = "morphological-analysis";

/** The choices with what a file of edited nuclei needs: its outlines are nuclei, to be expanded to cells. */
export function withEditedNuclei({ settings, parameters }: RunChoices): RunChoices {
  return {
    settings,
    parameters: { ...parameters, [STEP]: { ...parameters[STEP], outlinesAre: "nuclei" } },
  };
}

/** Takes `withEditedNuclei` back: without the file, steps would run again although nothing differs. */
export async function forgetEditedNuclei(transaction: Db, projectId: string): Promise<void> {
  const { choices } = await transaction
    .selectFrom("projects")
    .select("choices")
    .where("id", "=", projectId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { [STEP]: { outlinesAre: _, ...rest } = {}, ...others } = choices.parameters;
  const parameters = Object.keys(rest).length > 0 ? { ...others, [STEP]: rest } : others;
  await keepChoices(transaction, projectId, { ...choices, parameters });
}
