import type { FiledAnnotation } from "@stipple/contract/annotation-file";
import { polygonArea } from "@stipple/numerics/polygon-area";
import { annotateCells, keyOfCells } from "../annotations/annotate-cells.ts";
import { pause } from "../engine/pause.ts";
import type { FieldKey } from "../fields.ts";
import { sampleInSpace, type SampleInSpace } from "./sample-in-space.ts";
import { openSparseRows } from "../store/sparse-rows.ts";
import { readResult, readResultIfAny } from "../store/results-folder.ts";

/** What comparisons read of a sample's results: observed counts summed over the cells of each type. */
export interface SampleSums {
  /** In words; null where the results do not say. */
  species: string | null;
  genes: { id: string[]; name: string[] };
  types: TypeSums[];
  /** Whether types are as people named and assigned them, other than computed. */
  corrected: boolean;
  /** Whether people assigned types to cells of an earlier analysis, which are others now. */
  outdated: boolean;
  /** Null without the advanced analysis. */
  spatial: SampleInSpace | null;
}

export interface TypeSums {
  name: string;
  nCells: number;
  /** nGenes. */
  counts: Float64Array;
}

/** The fields that {@link sumSample} reads. */
export const SUMMED_FIELDS = [
  "cells/counts",
  "cells/cell_type",
  "cells/xy",
  "types/name",
  "genes/id",
  "genes/name",
  "sample/species",
  "sample/spatial_statistics",
] as const satisfies readonly FieldKey[];

/** Cells between two checks of the signal; files are reopened for each batch. */
const BATCH = 4096;

/**
 * Sums a sample's observed counts by type, a cell at a time from disk: O(nonzero counts) time, O(types · genes) memory.
 * With `within`, only cells whose center lies in these polygons count, and statistics of the whole sample are left out.
 * Throws {@link InputError} for annotations whose cells cannot be read.
 * @param annotations what people said the types are
 * @param within outlines followed by their holes; x and y alternating, full-resolution pixels
 */
export async function sumSample(
  results: string,
  {
    annotations = [],
    within,
    signal,
  }: {
    annotations?: readonly FiledAnnotation[] | undefined;
    within?: readonly (readonly Float64Array[])[] | undefined;
    signal?: AbortSignal;
  } = {},
): Promise<SampleSums> {
  const area = within && polygonArea(within);
  const [computed, xy, computedNames, id, name, facts, statistics, rows] = await Promise.all([
    readResult(results, "cells/cell_type"),
    readResult(results, "cells/xy"),
    readResult(results, "types/name"),
    readResult(results, "genes/id"),
    readResult(results, "genes/name"),
    readResultIfAny(results, "sample/species"),
    readResultIfAny(results, "sample/spatial_statistics"),
    openSparseRows(results, "cells/counts"),
  ]);
  const said = annotations.filter(({ kind, value }) =>
    kind === "name" ? value.label !== undefined : kind === "group",
  );
  const corrected = annotateCells("The annotations", said, {
    ...{ xy, clusters: { groupOf: new Int32Array(), groups: [] }, domains: null },
    types: { groupOf: computed, groups: computedNames.map((type) => ({ name: type, color: "" })) },
  }).types;
  const key = keyOfCells(xy);
  const outdated = said.some(
    ({ kind, value }) => kind === "group" && value.assigned !== null && value.cellsKey !== key,
  );
  const typeOf = corrected?.groupOf ?? computed;
  const names = corrected?.groups.map((group) => group.name) ?? computedNames;
  const types = names.map((type) => ({
    ...{ name: type, nCells: 0 },
    counts: new Float64Array(id.length),
  }));
  for (let cell = 0; cell < rows.nRows; cell++) {
    if (cell % BATCH === 0) {
      await pause(signal);
    }
    const type = types[typeOf[cell]];
    if (!type || area?.holds(xy.data[2 * cell], xy.data[2 * cell + 1]) === false) continue;
    type.nCells++;
    const { indices, data } = rows.row(cell);
    for (let i = 0; i < indices.length; i++) type.counts[indices[i]] += data[i];
  }
  const species = !facts || facts.species === "unknown" ? null : (facts.name ?? facts.species);
  return {
    ...{ species, genes: { id, name }, corrected: corrected !== null, outdated },
    types: types.filter(({ nCells }) => nCells > 0),
    spatial: statistics && !within ? sampleInSpace(statistics) : null,
  };
}
