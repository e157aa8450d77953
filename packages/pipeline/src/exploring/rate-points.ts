import { cellComponents } from "../steps/5-cluster-analysis/cell-components.ts";
import { prototypeTotals, timesPrototypes } from "../model/prototype-sums.ts";
import { readResult } from "../store/results-folder.ts";
import { ENOUGH } from "../model/constants.ts";
import type { ExploredSample, Progress } from "./explored-sample.ts";
import type { CellPoints, WantedCells } from "./find-clusters.ts";

const COMPONENTS = 20;
/** Most variable genes that describe a part of the cells. */
const MAX_GENES = 600;
const SEED = 0;

/**
 * Principal components of the log-normalized rates: for all cells those of step 5; for a part of them, or given genes,
 * new ones of just these.
 */
export async function ratePoints(
  sample: ExploredSample,
  { cells, isAll, genes }: WantedCells,
  progress: Progress,
): Promise<CellPoints> {
  if (isAll && !genes) return { cells, points: await readResult(sample.results, "cells/X_pca") };
  const rates = await sample.rates();
  const { membership, profile } = rates.parts;
  const points = await cellComponents(rates, {
    cells,
    nComponents: COMPONENTS,
    usable: await usableGenes(sample, genes),
    maxGenes: genes?.length ?? MAX_GENES,
    totals: timesPrototypes(membership.data, prototypeTotals(profile.data, membership.nCols)),
    seed: SEED,
    signal: new AbortController().signal,
    progress,
  });
  return { cells, points };
}

async function usableGenes(
  sample: ExploredSample,
  genes: readonly number[] | null,
): Promise<Uint8Array> {
  const { length } = sample.manifest.genes;
  if (genes) {
    const given = new Uint8Array(length);
    for (const gene of genes) given[gene] = 1;
    return given;
  }
  const reliable = await sample.column("genes.reliable");
  const enough = reliable.reduce((sum, flag) => sum + flag, 0) >= ENOUGH.GENES;
  return enough ? reliable : new Uint8Array(length).fill(1);
}
