import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { platformById, PLATFORM_IDS } from "@stipple/contract";
import { InputError } from "@stipple/pipeline/errors";
import { type AddedFiles, isBlank, openTextTable } from "@stipple/pipeline/samples";
import { analysisSettings, type AnalysisSettings } from "@stipple/pipeline/settings";
import { SheetError } from "./sheet-error.ts";

/** One row of a sample sheet. */
export interface StudySample {
  name: string;
  input: string;
  settings: AnalysisSettings;
  /** Files from outside the sample's folder. */
  files: AddedFiles & { image?: string | undefined; fineBins?: string | undefined };
  /** Columns that describe the sample and no setting: condition, patient, batch. */
  design: Record<string, string>;
}

export interface SampleSheet {
  samples: StudySample[];
  /** Names of the columns of the design, in their order. */
  design: string[];
}

/** Columns that are settings, by the setting's name. */
const SETTINGS: Readonly<Record<string, keyof AnalysisSettings>> = {
  platform: "platform",
  staining: "staining",
  analysis_type: "analysisType",
  resolution: "resolution",
  species: "species",
  tissue: "tissue",
  channel_names: "channelNames",
  reference_labels: "referenceLabels",
  segmentation: "segmentation",
  seed: "seed",
};
/** Columns that name files, relative to the sheet. */
const FILES: Readonly<Record<string, keyof StudySample["files"]>> = {
  image: "image",
  fine_bins: "fineBins",
  reference: "reference",
  regions: "regions",
  exclude: "excluded",
  crop: "kept",
  alignment: "alignment",
  outlines: "outlines",
};
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;
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
  const table = await openTextTable(path, { wanted: WANTED, separators: [",", ";", "\t"] });
  const [head, ...rows] = table.sample;
  const columns = (head?.cells ?? []).map((name) => name.trim());
  const keys = columns.map((name) => name.toLowerCase().replaceAll(/[\s-]+/g, "_"));
  const missing = ["sample", "folder", "platform"].filter((name) => !keys.includes(name));
  if (missing.length > 0) {
    throw new InputError(
      `${file} lacks the ${missing.length > 1 ? "columns" : "column"} ${missing.join(", ")}: a sample sheet needs sample, folder, and platform.`,
      { file },
    );
  }
  const faults: string[] = [];
  const samples: StudySample[] = [];
  for (const { cells, line } of rows) {
    if (isBlank(cells)) continue;
    const row = new Map(keys.map((key, i) => [key, (cells[i] ?? "").trim()]));
    const found = sampleOf(row, columns, keys, dirname(resolve(path)));
    if ("fault" in found) faults.push(`${file}, line ${line}: ${found.fault}`);
    else if (samples.some(({ name }) => name === found.name)) {
      faults.push(
        `${file}, line ${line}: there is a sample ${found.name} already; give each its own name.`,
      );
    } else samples.push(found);
  }
  if (faults.length === 0 && samples.length < 2) {
    faults.push(
      `${file} lists ${samples.length === 0 ? "no samples" : "one sample"}, but a study compares at least two: add rows, or use stipple analyze.`,
    );
  }
  if (faults.length > 0) throw new SheetError(faults);
  return { samples, design: columns.filter((_, i) => isDesign(keys[i])) };
}

function isDesign(key: string): boolean {
  return !["sample", "folder"].includes(key) && !(key in SETTINGS) && !(key in FILES);
}

function sampleOf(
  row: ReadonlyMap<string, string>,
  columns: readonly string[],
  keys: readonly string[],
  home: string,
): StudySample | { fault: string } {
  const name = row.get("sample")!;
  if (!NAME.test(name)) {
    return {
      fault: `"${name}" cannot name a sample and its folder of results; use letters, digits, blanks, dots, and hyphens.`,
    };
  }
  const input = resolve(home, row.get("folder")!);
  if (row.get("folder") === "" || !existsSync(input) || !statSync(input).isDirectory()) {
    return { fault: `the folder ${row.get("folder")} of ${name} does not exist; check its path.` };
  }
  const files: StudySample["files"] = {};
  for (const [key, role] of Object.entries(FILES)) {
    const given = row.get(key);
    if (!given) continue;
    files[role] = resolve(home, given);
    if (!existsSync(files[role])) {
      return { fault: `the file ${given} of ${name} does not exist; check its path.` };
    }
  }
  const settings = settingsOf(row, name);
  if ("fault" in settings) return settings;
  const design = Object.fromEntries(
    columns.flatMap((column, i) => (isDesign(keys[i]) ? [[column, row.get(keys[i])!]] : [])),
  );
  return { name, input, settings, files, design };
}

function settingsOf(
  row: ReadonlyMap<string, string>,
  name: string,
): AnalysisSettings | { fault: string } {
  const platform = PLATFORM_IDS.find((id) => id === row.get("platform"));
  if (!platform) {
    return {
      fault: `"${row.get("platform")}" is not a platform; use one of ${PLATFORM_IDS.join(", ")} for ${name}.`,
    };
  }
  const { label, resolutions } = platformById(platform);
  const resolution = row.get("resolution") ?? "";
  if (resolutions.length > 0 && !resolutions.some((size) => size === resolution)) {
    return {
      fault: `${label} needs a bin size; write ${resolutions.join(" or ")} into the column resolution for ${name}.`,
    };
  }
  const given = Object.entries(SETTINGS).flatMap(([key, setting]) => {
    const value = row.get(key);
    if (!value || (setting === "resolution" && resolutions.length === 0)) return [];
    return [[setting, setting === "seed" ? Number(value) : value]];
  });
  const parsed = analysisSettings.safeParse({ ...Object.fromEntries(given), sampleName: name });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const column = Object.entries(SETTINGS).find(([, setting]) => setting === issue?.path[0])?.[0];
  return {
    fault: `the column ${column ?? "settings"} of ${name} has a value that cannot be used (${issue?.message ?? "unknown"}).`,
  };
}
