import { PLATFORM_IDS, platformById } from "./platforms/index.ts";
import { list } from "./recognition/candidate.ts";
import { STUDY_MEASURES } from "./routes/studies.ts";

/** Columns of a sample sheet that are settings, by the setting's name. */
export const SHEET_SETTINGS = {
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
} as const;
export type SheetSetting = (typeof SHEET_SETTINGS)[keyof typeof SHEET_SETTINGS];

/** Columns that name a file outside the sample's folder, by what the pipeline calls it. */
export const SHEET_FILES = {
  image: "image",
  fine_bins: "fineBins",
  reference: "reference",
  regions: "regions",
  exclude: "excluded",
  crop: "kept",
  alignment: "alignment",
  outlines: "outlines",
  annotations: "annotations",
} as const;
/** Those that `stipple study run` notes in the study's table, because comparisons read them. */
export const NOTED_FILES = ["regions", "annotations"] as const;
export type SheetFile = (typeof SHEET_FILES)[keyof typeof SHEET_FILES];

/** One row of a sample sheet, as it was written. Cells that are empty are left out. */
export interface SheetRow {
  line: number;
  name: string;
  folder: string;
  settings: Partial<Record<SheetSetting, string>>;
  files: Partial<Record<SheetFile, string>>;
  /** Columns that describe the sample and no setting: condition, patient, batch. */
  design: Record<string, string>;
  /** Why its cells cannot be told apart: a sentence. */
  fault: string | null;
}

export interface SampleSheet {
  rows: SheetRow[];
  /** Names of the columns of the design, in their order. */
  design: string[];
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,99}$/u;

/** Reads the rows of a sample sheet, the head first. A sentence says which columns of `needs` it lacks. */
export function parseSampleSheet(
  file: string,
  [head, ...rows]: readonly { cells: readonly string[]; line: number }[],
  needs: readonly string[],
): SampleSheet | string {
  const columns = (head?.cells ?? []).map((name) => name.trim());
  const keys = columns.map(keyOf);
  const missing = needs.filter((name) => !keys.includes(name));
  if (missing.length > 0) {
    return `${file} lacks the ${missing.length > 1 ? "columns" : "column"} ${missing.join(", ")}: a sample sheet needs ${list(needs)}.`;
  }
  const design = columns.filter((_, i) => isDesign(keys[i]!));
  return { design, rows: rows.map(({ cells, line }) => rowOf(line, cells, columns, keys)) };
}

function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

/**
 * Those columns of a table with a row for each sample that are the design's: of a sample sheet, without settings and
 * files; of a study's table, without what was measured and noted.
 */
export function designColumns(columns: readonly string[]): string[] {
  const keys = columns.map(keyOf);
  const isSheet = keys.includes("folder");
  const isStudyTable = STUDY_MEASURES.every((name) => keys.includes(name));
  return columns.filter((_, i) => {
    const key = keys[i]!;
    if (key === "" || key === "sample" || (isSheet && !isDesign(key))) return false;
    return !isStudyTable || ![...STUDY_MEASURES, ...NOTED_FILES].includes(key);
  });
}

function isDesign(key: string): boolean {
  return (
    !["sample", "folder", ""].includes(key) &&
    // A column may be called "constructor".
    !Object.hasOwn(SHEET_SETTINGS, key) &&
    !Object.hasOwn(SHEET_FILES, key)
  );
}

function rowOf(
  line: number,
  cells: readonly string[],
  columns: readonly string[],
  keys: readonly string[],
): SheetRow {
  const fault = surplusFault(cells, columns.length);
  const row: SheetRow = { line, name: "", folder: "", settings: {}, files: {}, design: {}, fault };
  for (const [i, key] of keys.entries()) {
    const value = (cells[i] ?? "").trim();
    if (isDesign(key)) row.design[columns[i]!] = value;
    else if (key === "sample") row.name = value;
    else if (key === "folder") row.folder = value;
    else if (value === "") continue;
    else if (key in SHEET_FILES) row.files[SHEET_FILES[key as keyof typeof SHEET_FILES]] = value;
    else if (key in SHEET_SETTINGS) {
      row.settings[SHEET_SETTINGS[key as keyof typeof SHEET_SETTINGS]] = value;
    }
  }
  return row;
}

/** A sentence for a row with text after the last named column, whose other cells may be in wrong columns; null for others. */
export function surplusFault(cells: readonly string[], columns: number): string | null {
  const text = cells.slice(columns).find((cell) => cell.trim() !== "");
  return text === undefined
    ? null
    : `"${text.trim()}" is past the last column: name that column, or put quotation marks around text that contains a comma or semicolon.`;
}

/** Why a sample cannot have this name; null if it can. */
export function sampleNameFault(name: string): string | null {
  return NAME.test(name)
    ? null
    : `"${name}" cannot name a sample and its folder of results; use letters, digits, blanks, dots, and hyphens.`;
}

export function sampleTwice(name: string): string {
  return `there is a sample ${name} already; give each its own name.`;
}

/** Why a sample cannot be analyzed on this platform with this bin size; null if it can. */
export function samplePlatformFault(
  name: string,
  { platform, resolution }: Pick<SheetRow["settings"], "platform" | "resolution">,
): string | null {
  const known = PLATFORM_IDS.find((id) => id === platform);
  if (!known) {
    return `"${platform ?? ""}" is not a platform; use one of ${PLATFORM_IDS.join(", ")} for ${name}.`;
  }
  const { label, resolutions } = platformById(known);
  return resolutions.length > 0 && !resolutions.some((size) => size === resolution)
    ? `${label} needs a bin size; write ${resolutions.join(" or ")} into the column resolution for ${name}.`
    : null;
}
