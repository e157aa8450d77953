import type { RunChoices } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import { keepChoices } from "../projects/choices.ts";

/** The name by which edited nuclei are known from a file that was uploaded. */
export const EDITED_NUCLEI = "nuclei edited in the view.geojson";
const STEP = "morphological-analysis";

/** Makes the choices fit a file of edited nuclei, in the transaction that fills the slot: they are to be expanded to cells. */
export function expectEditedNuclei(transaction: Db, projectId: string): Promise<void> {
  return changeStep(transaction, projectId, (chosen) => ({ ...chosen, outlinesAre: "nuclei" }));
}

/** Takes `expectEditedNuclei` back: without the file, steps would run again although nothing differs. */
export function forgetEditedNuclei(transaction: Db, projectId: string): Promise<void> {
  return changeStep(transaction, projectId, ({ outlinesAre: _, ...rest }) => rest);
}

type Chosen = RunChoices["parameters"][string];

async function changeStep(
  transaction: Db,
  projectId: string,
  change: (chosen: Chosen) => Chosen,
): Promise<void> {
  const { choices } = await transaction
    .selectFrom("projects")
    .select("choices")
    .where("id", "=", projectId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { [STEP]: chosen = {}, ...others } = choices.parameters;
  const changed = change(chosen);
  const parameters = Object.keys(changed).length > 0 ? { ...others, [STEP]: changed } : others;
  await keepChoices(transaction, projectId, { ...choices, parameters });
}
