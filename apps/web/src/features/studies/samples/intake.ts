import { readCsv, textOfCsv } from "@stipple/contract/csv";
import {
  parseSampleSheet,
  type SampleSheet,
  type SheetFile,
  type SheetRow,
  type SheetSetting,
} from "@stipple/contract/sample-sheet";
import { isClutter } from "@stipple/contract/recognition/candidate";
import { knownTissue } from "@stipple/contract/tissues";
import type { PickedFile } from "../../../project/uploads/dropped-files.ts";
import { tableText } from "../../../project/table-text.ts";
import { TABLE_FAULTS } from "../texts.ts";
import { FAULTS } from "./texts.ts";

/** Settings that the table offers. Others of a sheet are passed on as they are. */
export const SETTING_KEYS = [
  "platform",
  "resolution",
  "staining",
  "analysisType",
  "species",
  "tissue",
] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];

/** What all samples have; null where each has its own. Empty: not chosen. */
export type Shared = Readonly<Record<SettingKey, string | null>>;

export const NOTHING_SHARED: Shared = {
  ...{ platform: "", resolution: "", staining: "", analysisType: "basic", species: "", tissue: "" },
};

/** A sample that is to be added. */
export interface Row {
  /** Of its folder among the dropped ones, or its line of the sheet. */
  key: string;
  name: string;
  folder: string;
  files: readonly PickedFile[];
  own: Readonly<Partial<Record<SheetSetting, string>>>;
  /** Files outside its folder that the sheet names. */
  extra: Readonly<Partial<Record<SheetFile, PickedFile>>>;
  /** What is wrong with its folder or files. */
  fault: string | null;
  design: Readonly<Record<string, string>>;
}

export interface Intake {
  rows: readonly Row[];
  /** Columns of the design in the sheet. */
  columns: readonly string[];
  /** The sheet's name, if there is one. */
  sheet: string | null;
}

const SHEET_NAME = /\.(csv|tsv|txt)$/i;
const MAX_SHEET_BYTES = 1024 * 1024;
/** Folders inside a sample. */
const INSIDE = /^(outs|spatial|filtered_feature_bc_matrix|binned_outputs|segmented_outputs)$/i;

/** What the dropped files are: a row for each sample, or a sentence about what is missing. */
export async function intakeOf(picked: readonly PickedFile[]): Promise<Intake | string> {
  const files = picked.filter((file) => !isClutter(file));
  const sheets = await sheetsAmong(files);
  if (sheets.length > 1) return FAULTS.twoSheets(sheets.map(({ path }) => path).join(", "));
  const [sheet] = sheets;
  if (!sheet) {
    const rows = folderRows(files);
    return rows.length === 0 ? FAULTS.noFolders : { rows, columns: [], sheet: null };
  }
  const { read, path, name, isText } = sheet;
  if (!isText) return TABLE_FAULTS.encoding(name);
  if (read.rows.length === 0) return FAULTS.emptySheet(name);
  const others = files.filter((one) => one.path !== path);
  if (others.length === 0) return FAULTS.noFiles;
  const home = path.split("/").slice(0, -1).join("/");
  const rows = read.rows.map((row): Row => {
    const found = folderIn(others, home, row.folder);
    const extra: Row["extra"] = {};
    let fault = row.fault ?? ("fault" in found ? found.fault : null);
    for (const [role, given] of Object.entries(row.files)) {
      const file = fileIn(others, home, given);
      if ("fault" in file) fault ??= file.fault;
      else Object.assign(extra, { [role]: file.file });
    }
    return {
      ...{
        key: `line ${row.line}`,
        name: row.name.normalize(),
        folder: row.folder,
        own: ownOf(row),
      },
      ...{ files: "fault" in found ? [] : found.files, extra, fault, design: row.design },
    };
  });
  return { rows, columns: read.design, sheet: name };
}

/**
 * What was dropped, with columns called as the study calls them (`known`): a sheet may write them in another case, or a
 * letter as two characters. Of columns with one name, the first with a value counts.
 */
export function withKnownColumns(intake: Intake, known: readonly string[]): Intake {
  const keyOf = (name: string): string => name.normalize().toLowerCase();
  const names = new Map(known.map((name) => [keyOf(name), name]));
  const nameOf = (column: string): string => {
    const key = keyOf(column);
    if (!names.has(key)) names.set(key, column.normalize());
    return names.get(key)!;
  };
  const columns = [...new Set(intake.columns.map(nameOf))];
  const rows = intake.rows.map((row) => {
    const filled = Object.entries(row.design).filter(([, value]) => value !== "");
    const named = filled.map(([column, value]) => [nameOf(column), value] as const);
    return { ...row, design: Object.fromEntries(named.toReversed()) };
  });
  return { ...intake, columns, rows };
}

/** What a row has in a column of the design. */
export function designValue({ design }: Pick<Row, "design">, column: string): string {
  return Object.hasOwn(design, column) ? design[column]! : "";
}

/** A row's settings, with the tissue by the name that it has here: a colon is an intestine. */
function ownOf({ settings }: SheetRow): Row["own"] {
  const { tissue } = settings;
  return tissue === undefined ? settings : { ...settings, tissue: knownTissue(tissue) ?? tissue };
}

async function sheetsAmong(
  files: readonly PickedFile[],
): Promise<{ path: string; name: string; read: SampleSheet; isText: boolean }[]> {
  const found = [];
  for (const { file, path } of files) {
    const isNear = path.split("/").length <= 2;
    if (!isNear || !SHEET_NAME.test(path) || file.size > MAX_SHEET_BYTES) continue;
    const text = await tableText(file);
    const lines = readCsv(text ?? (await file.text())).map((cells, i) => ({
      cells: cells.map(textOfCsv),
      line: i + 1,
    }));
    const read = parseSampleSheet(file.name, lines, ["sample", "folder"]);
    if (typeof read === "string") continue;
    found.push({ path, name: file.name, read, isText: text !== null });
  }
  return found;
}

/** A sample for each dropped folder, or for each folder in the one that was dropped. */
function folderRows(files: readonly PickedFile[]): Row[] {
  const inFolders = files.filter(({ path }) => path.includes("/"));
  const tops = new Set(inFolders.map(({ path }) => path.split("/", 1)[0]!));
  const inner = new Set(
    inFolders.flatMap(({ path }) => {
      const [, second, ...rest] = path.split("/");
      return rest.length > 0 ? [second!] : [];
    }),
  );
  const areInside =
    tops.size === 1 && inner.size > 0 && ![...inner].some((one) => INSIDE.test(one));
  const depth = areInside ? 2 : 1;
  const groups = Map.groupBy(
    inFolders.filter(({ path }) => path.split("/").length > depth),
    ({ path }) => path.split("/").slice(0, depth).join("/"),
  );
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([folder, own]) => ({
      ...{ key: folder, name: folder.split("/").at(-1)!.normalize(), folder, own: {}, extra: {} },
      ...{ files: below(own, folder), fault: null, design: {} },
    }));
}

/** The files below a folder, by their paths from its name on. */
function below(files: readonly PickedFile[], folder: string): PickedFile[] {
  const cut = folder.length - folder.split("/").at(-1)!.length;
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ file, path }) => ({ file, path: path.slice(cut) }));
}

function folderIn(
  files: readonly PickedFile[],
  home: string,
  given: string,
): { files: PickedFile[] } | { fault: string } {
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/");
    for (let i = 1; i < parts.length; i++) folders.add(parts.slice(0, i).join("/"));
  }
  const places = placesOf([...folders], home, given);
  if (places.length > 1) return { fault: FAULTS.severalPlaces(given, places.join(", ")) };
  return places[0] === undefined
    ? { fault: FAULTS.folderMissing(given) }
    : { files: below(files, places[0]) };
}

function fileIn(
  files: readonly PickedFile[],
  home: string,
  given: string,
): { file: PickedFile } | { fault: string } {
  const paths = files.map(({ path }) => path);
  const places = placesOf(paths, home, given);
  if (places.length > 1) return { fault: FAULTS.severalPlaces(given, places.join(", ")) };
  const file = files.find(({ path }) => path === places[0]);
  return file ? { file } : { fault: FAULTS.fileMissing(given) };
}

/**
 * Which of the paths a sheet means: the one relative to the sheet; else those with the longest matching end, because a
 * drop does not show the folders above it. Folders of macOS write ö as two characters, spreadsheets as one.
 */
function placesOf(paths: readonly string[], home: string, given: string): string[] {
  const parts = given
    .normalize()
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => !["", ".", ".."].includes(part));
  if (parts.length === 0) return [];
  const beside = [...(home === "" ? [] : [home.normalize()]), ...parts].join("/");
  const own = paths.filter((path) => path.normalize() === beside);
  if (own.length > 0) return own;
  for (let from = 0; from < parts.length; from++) {
    const tail = `/${parts.slice(from).join("/")}`;
    const found = paths.filter((path) => `/${path.normalize()}`.endsWith(tail));
    if (found.length > 0) return found;
  }
  return [];
}

/** What a sheet sets in some rows is set by sample; the rest is shared. */
export function sharedOf({ rows }: Intake, before: Shared): Shared {
  return Object.fromEntries(
    SETTING_KEYS.map((key) => [key, rows.some(({ own }) => own[key]) ? null : before[key]]),
  ) as Shared;
}

/** A sample's value of a setting; empty if not chosen. */
export function settingOf({ own }: Pick<Row, "own">, shared: Shared, key: SettingKey): string {
  return shared[key] ?? own[key] ?? "";
}
