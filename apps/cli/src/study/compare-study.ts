import { resolve } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import {
  compareSamples,
  readRegionsCalled,
  sumSample,
  type Comparison,
  type StudiedSample,
} from "@stipple/pipeline/study";
import { annotationsIn, columnOf, finishedResults, type DesignTable } from "./design-table.ts";
import type { StudyFolder } from "./study-folder.ts";

export interface CompareOptions {
  condition: string;
  patient?: string | undefined;
  batch?: string | undefined;
  /** Possible readings of the two conditions; the one whose conditions exist is used. */
  groups?: [string, string][] | undefined;
  /** Only the cells in regions of this name or class are compared. */
  region?: string | undefined;
}

/** Compares finished samples of a folder by the columns of a design. Throws an InputError with the reason if it cannot. */
export async function compareStudy(
  { folder, table, signal, say }: StudyFolder,
  options: CompareOptions,
): Promise<Comparison> {
  const { patient, batch, region } = options;
  const condition = columnOf(table, options.condition);
  const further = {
    patient: patient ? columnOf(table, patient) : null,
    batch: batch ? columnOf(table, batch) : null,
  };
  const within = region === undefined ? null : openRegions(region, table);
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
        annotations: await annotationsIn(table, row),
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
function openRegions(region: string, table: DesignTable) {
  const column = table.columns.find((name) => name.toLowerCase() === "regions");
  if (column === undefined) {
    throw new InputError(`${table.file} has no column regions: give the sample sheet as --design.`);
  }
  return ({ name, values }: DesignTable["rows"][number], results: string) => {
    const path = values[column];
    if (path) return readRegionsCalled(region, { file: resolve(table.home, path), results });
    throw new InputError(
      `${table.file} has no file of regions for ${name}: fill in the column ${column}, or leave the sample out.`,
    );
  };
}
