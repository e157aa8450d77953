import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import { readManifests } from "@stipple/pipeline/results";
import { isBlank, openTextTable } from "@stipple/pipeline/samples";
import {
  compareSamples,
  sumSample,
  type Comparison,
  type StudiedSample,
} from "@stipple/pipeline/study";

export interface CompareOptions {
  /** A folder with the results of each sample, by its name. */
  folder: string;
  /** The table of the design. */
  design: string;
  condition: string;
  patient?: string | undefined;
  batch?: string | undefined;
  groups: [string, string] | null;
  signal: AbortSignal;
  say(line: string): void;
}

/** Compares finished samples of a folder by the columns of a design. Throws {@link InputError} with the reason if it cannot. */
export async function compareStudy(options: CompareOptions): Promise<Comparison> {
  const { folder, say, signal } = options;
  const rows = await readDesign(options);
  const samples: StudiedSample[] = [];
  for (const row of rows) {
    const results = join(folder, row.name);
    if (!existsSync(results)) {
      throw new InputError(
        `${folder} has no folder ${row.name}: analyze the sample with "stipple study run", or leave it out of ${basename(options.design)}.`,
      );
    }
    if (readManifests(results).some((manifest) => manifest === null)) {
      throw new InputError(
        `The results of ${row.name} are not finished: continue with "stipple study run", or leave it out of ${basename(options.design)}.`,
      );
    }
    say(`Summing counts of ${row.name}`);
    samples.push({ ...row, sums: await sumSample(results, signal) });
  }
  return compareSamples(samples, options.groups);
}

type DesignRow = Omit<StudiedSample, "sums">;

async function readDesign({
  design,
  condition,
  patient,
  batch,
}: CompareOptions): Promise<DesignRow[]> {
  const file = basename(design);
  const table = await openTextTable(design, {
    wanted: { what: "a design", remedy: "use a CSV with the columns sample and condition" },
    separators: [",", ";", "\t"],
  });
  const [head, ...rows] = table.sample;
  const columns = (head?.cells ?? []).map((name) => name.trim());
  const at = (name: string): number => {
    const column = columns.findIndex((one) => one.toLowerCase() === name.toLowerCase());
    if (column >= 0) return column;
    throw new InputError(
      `${file} has no column ${name}; its columns are ${columns.join(", ")}: name one of them.`,
      { file },
    );
  };
  const wanted = { name: at("sample"), condition: at(condition) };
  const further = { patient: patient ? at(patient) : null, batch: batch ? at(batch) : null };
  const found: DesignRow[] = [];
  for (const { cells, line } of rows) {
    if (isBlank(cells)) continue;
    const cell = (column: number | null): string =>
      column === null ? "" : (cells[column] ?? "").trim();
    const row = {
      ...{ name: cell(wanted.name), condition: cell(wanted.condition) },
      ...{ patient: cell(further.patient), batch: cell(further.batch) },
    };
    if (row.name === "" || found.some(({ name }) => name === row.name)) {
      throw new InputError(
        row.name === ""
          ? `${file}, line ${line} names no sample: fill in the column sample.`
          : `${file}, line ${line}: there is a sample ${row.name} already; name each once.`,
        { file },
      );
    }
    found.push(row);
  }
  return found;
}
