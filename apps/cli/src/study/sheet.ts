import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { platformById, type PlatformId } from "@stipple/contract";
import { textOfCsv } from "@stipple/contract/csv";
import { isReferenceName } from "@stipple/contract/kept-reference";
import {
  parseSampleSheet,
  sampleNameFault,
  samplePlatformFault,
  sampleTwice,
  SHEET_SETTINGS,
  type SheetRow,
} from "@stipple/contract/sample-sheet";
import { STUDY_TABLE } from "@stipple/contract/routes/studies";
import { InputError, presentable } from "@stipple/pipeline/errors";
import { type AddedFiles, isBlank, openTextTable } from "@stipple/pipeline/samples";
import { analysisSettings, type AnalysisSettings } from "@stipple/pipeline/settings";
import { columnOf } from "./design-table.ts";
import { COMPARISON_FOLDER, SPACE_FOLDER } from "./study-folder.ts";

/** What is wrong with a study, a sentence for each sample, so that all can be mended at once. */
export class SheetError extends Error {
  override readonly name = "SheetError";

  constructor(faults: readonly string[]) {
    super(faults.map((fault) => presentable(fault)).join("\n"));
  }
}

/** One row of a sample sheet. */
export interface StudySample {
  name: string;
  input: string;
  settings: AnalysisSettings;
  /** Files from outside the sample's folder; a reference may also be the name of one that is kept. */
  files: AddedFiles & { image?: string | undefined; fineBins?: string | undefined };
  /** Columns that describe the sample and no setting: condition, patient, batch. */
  design: Record<string, string>;
}

export interface SampleSheet {
  samples: StudySample[];
  /** Names of the columns of the design, in their order. */
  design: string[];
}

const WANTED = {
  what: "a sample sheet",
  remedy: "use a CSV with the columns sample, folder, and platform",
} as const;

/**
 * Reads a sample sheet: one row per sample, with the columns `sample`, `folder`, and `platform`, any settings and files,
 * and columns of the study's design. Folders and files are relative to the sheet. Throws {@link InputError} or
 * {@link SheetError}.
 */
export async function readSheet(path: string): Promise<SampleSheet> {
  const file = basename(path);
  const table = await openTextTable(path, { wanted: WANTED, separators: [";", ",", "\t"] });
  const filled = table.sample
    .filter(({ cells }) => !isBlank(cells))
    .map(({ cells, line }) => ({ cells: cells.map(textOfCsv), line }));
  const columns = (filled[0]?.cells ?? []).map((name) => name.trim());
  for (const name of columns) if (name !== "") columnOf({ file, columns }, name);
  const sheet = parseSampleSheet(file, filled, ["sample", "folder", "platform"]);
  if (typeof sheet === "string") throw new InputError(sheet);
  const faults: string[] = [];
  const samples: StudySample[] = [];
  for (const row of sheet.rows) {
    const found = sampleOf(row, dirname(resolve(path)));
    if ("fault" in found) faults.push(`${file}, line ${row.line}: ${found.fault}`);
    else if (samples.some(({ name }) => name === found.name)) {
      faults.push(`${file}, line ${row.line}: ${sampleTwice(found.name)}`);
    } else samples.push(found);
  }
  if (faults.length === 0 && samples.length < 2) {
    faults.push(
      `${file} lists ${samples.length === 0 ? "no samples" : "one sample"}, but a study compares at least two: add rows, or use stipple analyze.`,
    );
  }
  if (faults.length > 0) throw new SheetError(faults);
  return { samples, design: sheet.design };
}

function sampleOf(row: SheetRow, home: string): StudySample | { fault: string } {
  const { name, folder, design } = row;
  const fault = row.fault ?? sampleNameFault(name);
  if (fault !== null) return { fault };
  if ([STUDY_TABLE, COMPARISON_FOLDER, SPACE_FOLDER].includes(name)) {
    return {
      fault: `"${name}" is the name of something else in the study's folder; give the sample another.`,
    };
  }
  if (folder === "") return { fault: `${name} has no folder; fill in the column folder.` };
  const input = resolve(home, folder);
  if (!existsSync(input) || !statSync(input).isDirectory()) {
    return { fault: `the folder ${folder} of ${name} does not exist; check its path.` };
  }
  const files: StudySample["files"] = {};
  for (const [role, given] of Object.entries(row.files)) {
    const file = resolve(home, given);
    if (role === "reference" && !existsSync(file) && isReferenceName(given)) {
      files.reference = given;
      continue;
    }
    if (!existsSync(file)) {
      return { fault: `the file ${given} of ${name} does not exist; check its path.` };
    }
    files[role as keyof StudySample["files"]] = file;
  }
  const settings = settingsOf(row);
  return "fault" in settings ? settings : { name, input, settings, files, design };
}

function settingsOf({ name, settings }: SheetRow): AnalysisSettings | { fault: string } {
  const fault = samplePlatformFault(name, settings);
  if (fault !== null) return { fault };
  const { resolutions } = platformById(settings.platform as PlatformId);
  const given = Object.entries(settings).flatMap(([setting, value]) => {
    if (setting === "resolution" && resolutions.length === 0) return [];
    return [[setting, setting === "seed" ? Number(value) : value]];
  });
  const parsed = analysisSettings.safeParse({ ...Object.fromEntries(given), sampleName: name });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const column = Object.entries(SHEET_SETTINGS).find(([, one]) => one === issue?.path[0])?.[0];
  return {
    fault: `the column ${column ?? "settings"} of ${name} has a value that cannot be used (${issue?.message ?? "unknown"}).`,
  };
}
