import { setImmediate } from "node:timers/promises";
import * as scran from "scran.js";
import { confidenceOf } from "../../../cell-types/confidence.ts";
import { nameCells, posteriorOf, withhold } from "../../../cell-types/name-cells.ts";
import { labelByCounts } from "../../../cell-types/type-by-counts.ts";
import { throwIfCancelled } from "../../../errors.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Rates } from "../../../model/rates.ts";
import { guessSpecies, type Species } from "../../../species/guess-species.ts";
import { typingResult, type TypingResult } from "../typing-result.ts";
import { labelCells } from "./label-cells.ts";
import { readReference, type Reference } from "./read-reference.ts";
import type { LabelProfiles } from "./spot-proportions.ts";

/** With fewer reliable genes, all expressed genes are compared. */
const MIN_RELIABLE = 100;

/** An h5ad file of labeled cells, and the obs column of its labels if that has an unusual name. */
export interface ReferenceFile {
  file: string;
  labels?: string | undefined;
}

/**
 * Assigns cell types from a user's reference: by the cells' own counts if they have them (HD), else by SingleR on the
 * inferred rates of shared genes, using only reliable ones if there are enough. Throws {@link InputError} if the reference is unusable. Also
 * returns the labels' profiles.
 */
export async function typeByReference(
  given: ReferenceFile,
  data: {
    rates: Rates;
    symbols: readonly string[];
    ids: readonly string[];
    reliable: Uint8Array;
    /** Genes to compare if too few are reliable. */
    usable: Uint8Array;
    species?: Species | undefined;
    tissue?: string | undefined;
    /** 1 = the cell must have no type. */
    withheld?: Uint8Array | undefined;
    ownCounts?: SparseMatrix | undefined;
  },
  options: { threads: number; signal: AbortSignal; progress(fraction: number): void },
): Promise<{ types: TypingResult; profiles: LabelProfiles }> {
  const species = data.species ?? guessSpecies(data.symbols, data.ids);
  const nReliable = data.reliable.reduce((sum, flag) => sum + flag, 0);
  const reference = await readReference({
    file: given.file,
    labelColumn: given.labels,
    symbols: data.symbols,
    ids: data.ids,
    species,
    usable: nReliable >= MIN_RELIABLE ? data.reliable : data.usable,
    signal: options.signal,
  });
  const posterior = data.ownCounts
    ? await labelByCounts(data.ownCounts, reference.profiles, {
        progress: options.progress,
        pause: async () => {
          await setImmediate();
          throwIfCancelled(options.signal);
        },
      })
    : await labelRates(data.rates, reference, options);
  const labels = reference.labels.map((name) => ({ name, lineage: name }));
  const way = data.ownCounts ? "counts" : "reference";
  const chosen = nameCells(posterior, labels, (own, types) =>
    confidenceOf(way, { posterior: posteriorOf(own, types), support: 0, lookGain: null }),
  );
  if (data.withheld) withhold(chosen, data.withheld);
  const types = typingResult(chosen, {
    species,
    speciesSource: data.species ? "given" : "guessed",
    tissue: data.tissue ?? "unknown",
    tissueSource: data.tissue ? "given" : "guessed",
    method: "reference",
    markersFound: {},
    reference: {
      labels: reference.labels.length,
      genes: reference.genes.length,
      ...(reference.description && { kept: reference.description }),
    },
  });
  return { types, profiles: reference.profiles };
}

async function labelRates(
  rates: Rates,
  reference: Reference,
  options: { threads: number; signal: AbortSignal; progress(fraction: number): void },
): Promise<Float32Array> {
  await scran.initialize({ numberOfThreads: options.threads });
  return labelCells(rates, reference, options);
}
