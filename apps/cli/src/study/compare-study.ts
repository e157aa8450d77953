import {
  compareSamples,
  sumSample,
  type Comparison,
  type StudiedSample,
} from "@stipple/pipeline/study";
import { columnOf, finishedResults, readDesignTable } from "./design-table.ts";

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

/** Compares finished samples of a folder by the columns of a design. Throws an InputError with the reason if it cannot. */
export async function compareStudy(options: CompareOptions): Promise<Comparison> {
  const { folder, say, signal, patient, batch } = options;
  const table = await readDesignTable(options.design);
  const condition = columnOf(table, options.condition);
  const further = {
    patient: patient ? columnOf(table, patient) : null,
    batch: batch ? columnOf(table, batch) : null,
  };
  const samples: StudiedSample[] = [];
  for (const { name, values } of table.rows) {
    const results = finishedResults(folder, name, table.file);
    say(`Summing counts of ${name}`);
    samples.push({
      ...{ name, condition: values[condition] },
      patient: further.patient === null ? "" : values[further.patient],
      batch: further.batch === null ? "" : values[further.batch],
      sums: await sumSample(results, { signal }),
    });
  }
  return compareSamples(samples, options.groups);
}
