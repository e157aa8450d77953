import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { STUDY_TABLE } from "@stipple/contract/routes/studies";
import { InputError } from "@stipple/pipeline/errors";
import { cancelOnSignal } from "../terminal/cancellation.ts";
import { readDesignTable, type DesignTable } from "./design-table.ts";

/** Folders of a comparison and of the joint space, in that of the study. */
export const [COMPARISON_FOLDER, SPACE_FOLDER] = ["comparison", "space"];

/** What `study run` left in a folder, for commands on it. */
export interface StudyFolder {
  /** With the results of each sample, by its name. */
  folder: string;
  /** The design: the given one, or the study's own table. */
  table: DesignTable;
  signal: AbortSignal;
  say(line: string): void;
}

/** Opens the folder of a study until `work` is done or canceled. Throws {@link InputError} if it has no design. */
export async function inStudyFolder(
  path: string,
  { design: given }: { design?: string },
  work: (study: StudyFolder) => Promise<void>,
): Promise<void> {
  const folder = resolve(path);
  const design = resolve(given ?? join(folder, STUDY_TABLE));
  if (given === undefined && !existsSync(design)) {
    throw new InputError(
      `${folder} contains no ${STUDY_TABLE}: use the folder that stipple study run wrote, or name a table with --design.`,
    );
  }
  using cancellation = cancelOnSignal(() => process.stderr.write("\nStopping.\n"));
  const table = await readDesignTable(design);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await work({ folder, table, signal: cancellation.signal, say });
}
