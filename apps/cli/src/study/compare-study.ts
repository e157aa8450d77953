import { dirname, resolve } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import {
  compareSamples,
  readRegionsCalled,
  sumSample,
  type Comparison,
  type StudiedSample,
} from "@stipple/pipeline/study";
import {
  annotationsIn,
  columnOf,
  finishedResults,
  readDesignTable,
  type DesignTable,
} from "./design-table.ts";

export interface CompareOptions {
  /** A folder with the results of each sample, by its name. */
  folder: string;
  /** The table of the design. */
  design: string;
  condition: string;
  patient?: string | undefined;
  batch?: string | undefined;
  /** Possible readings of the two conditions; the one whose conditions exist is used. */
  groups: readonly [string, string][] | null;
  /** Only the cells in regions of this name or class are compared. */
  region?: string | undefined;
  signal: AbortSignal;
  say(line: string): void;
}

/** Compares finished samples of a folder by the columns of a design. Throws an InputError with the reason if it cannot. */
export async function compareStudy(options: CompareOptions): Promise<Comparison> {
  const { folder, say, signal, patient, batch, region } = options;
  const table = await readDesignTable(options.design);
  const condition = columnOf(table, options.condition);
  const further = {
    patient: patient ? columnOf(table, patient) : null,
    batch: batch ? columnOf(table, batch) : null,
  };
  const within = region === undefined ? null : openRegions(region, options.design, table);
  const samples: StudiedSample[] = [];
  for (const row of table.rows) {
    const { name, values } = row;
    const results = finishedResults(folder, name, table.file);
    const polygons = await within?.(row, results);
    say(`Summing counts of ${name}`);
    samples.push({
      ...{ name, condition: values[condition] },
      patient: further.patient === null ? "" : values[further.patient],
      batch: further.batch === null ? "" : values[further.batch],
      sums: await sumSample(results, {
        annotations: await annotationsIn(options.design, table, row),
        within: polygons,
        signal,
      }),
    });
  }
  const isThere = (group: string): boolean => samples.some((one) => one.condition === group);
  const [first = null, ...others] = options.groups ?? [];
  const groups = others.find((way) => way.every(isThere)) ?? first;
  return compareSamples(samples, groups, region ?? null);
}

/** Reads the polygons of a sample's regions that are compared, from the file in its row. */
function openRegions(region: string, design: string, table: DesignTable) {
  const column = table.columns.find((name) => name.toLowerCase() === "regions");
  if (column === undefined) {
    throw new InputError(`${table.file} has no column regions: give the sample sheet as --design.`);
  }
  return ({ name, values }: DesignTable["rows"][number], results: string) => {
    const path = values[column];
    if (path) return readRegionsCalled(region, { file: resolve(dirname(design), path), results });
    throw new InputError(
      `${table.file} has no file of regions for ${name}: fill in the column ${column}, or leave the sample out.`,
    );
  };
}
