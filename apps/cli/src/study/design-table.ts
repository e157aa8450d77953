import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { FiledAnnotation } from "@stipple/contract/annotation-file";
import { textOfCsv } from "@stipple/contract/csv";
import { surplusFault } from "@stipple/contract/sample-sheet";
import { InputError } from "@stipple/pipeline/errors";
import { readManifests } from "@stipple/pipeline/results";
import { readAnnotations } from "@stipple/pipeline/study";
import { isBlank, openTextTable } from "@stipple/pipeline/samples";

/** The table of a design: a row for each sample, and its columns by name. */
export interface DesignTable {
  file: string;
  /** Folder of the file, to which paths in it are relative. */
  home: string;
  /** Without that of the sample. */
  columns: string[];
  rows: { name: string; values: Record<string, string> }[];
}

/** Reads a design with the column `sample`. Throws {@link InputError}. */
export async function readDesignTable(path: string): Promise<DesignTable> {
  const file = basename(path);
  const table = await openTextTable(path, {
    wanted: { what: "a design", remedy: "use a CSV with the columns sample and condition" },
    separators: [";", ",", "\t"],
  });
  const [head, ...lines] = table.sample;
  const columns = (head?.cells ?? []).map((name) => textOfCsv(name).trim());
  const of = columnOf({ file, columns }, "sample");
  const rows: DesignTable["rows"] = [];
  for (const { cells, line } of lines) {
    if (isBlank(cells)) continue;
    const surplus = surplusFault(cells, columns.length);
    if (surplus !== null) throw new InputError(`${file}, line ${line}: ${surplus}`);
    const values = Object.fromEntries(
      columns.map((column, at) => [column, textOfCsv(cells[at] ?? "").trim()]),
    );
    const name = values[of];
    if (name === "" || rows.some((row) => row.name === name)) {
      throw new InputError(
        name === ""
          ? `${file}, line ${line} names no sample: fill in the column sample.`
          : `${file}, line ${line}: there is a sample ${name} already; name each once.`,
      );
    }
    rows.push({ name, values });
  }
  return { file, home: dirname(path), columns: columns.filter((column) => column !== of), rows };
}

/** A column by its name in any case. Throws {@link InputError} if there is none, or two, of which either may be meant. */
export function columnOf(
  { file, columns }: Pick<DesignTable, "file" | "columns">,
  name: string,
): string {
  const [found, twin] = columns.filter((one) => one.toLowerCase() === name.toLowerCase());
  if (twin !== undefined) {
    throw new InputError(`${file} has two columns ${twin}: give each its own name, or remove one.`);
  }
  if (found !== undefined) return found;
  throw new InputError(
    `${file} has no column ${name}; its columns are ${columns.join(", ")}: name one of them.`,
  );
}

/** What the file in a row's column `annotations` says; nothing where there is none. */
export async function annotationsIn(
  { home, columns }: DesignTable,
  { values }: DesignTable["rows"][number],
): Promise<FiledAnnotation[]> {
  const column = columns.find((name) => name.toLowerCase() === "annotations");
  const path = column === undefined ? "" : values[column];
  return path ? readAnnotations(resolve(home, path)) : [];
}

/** The folder of a sample's finished results. Throws {@link InputError} if there is none. */
export function finishedResults(folder: string, name: string, file: string): string {
  const results = join(folder, name);
  if (!existsSync(results)) {
    throw new InputError(
      `${folder} has no folder ${name}: analyze the sample with "stipple study run", or leave it out of ${file}.`,
    );
  }
  if (readManifests(results).some((manifest) => manifest === null)) {
    throw new InputError(
      `The results of ${name} are not finished: continue with "stipple study run", or leave it out of ${file}.`,
    );
  }
  return results;
}
