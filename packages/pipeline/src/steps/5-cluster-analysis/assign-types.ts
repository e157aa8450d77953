import { setImmediate } from "node:timers/promises";
import { confidenceOf, type NameEvidence, type TypingWay } from "../../cell-types/confidence.ts";
import { nameByFit } from "../../cell-types/name-by-fit.ts";
import { nameCells, posteriorOf, withhold, type ChosenTypes } from "../../cell-types/name-cells.ts";
import { typeByCounts } from "../../cell-types/type-by-counts.ts";
import { throwIfCancelled } from "../../errors.ts";
import { MARKER_SETS } from "../../markers/index.ts";
import type { MarkerSet } from "../../markers/marker-set.ts";
import { guessSpecies } from "../../species/guess-species.ts";
import type { FittedTypes } from "../../types/fit-types.ts";
import { genesOf, indexSymbols } from "../../types/resolve-sets.ts";
import type { TypingInput, TypingOptions } from "./typing-input.ts";
import { typingResult, type TypingResult } from "./typing-result.ts";

/** What names rest on, for judging their confidence. */
export interface NameBasis {
  way: TypingWay;
  sets: readonly MarkerSet[];
  /** nCells × (sets + 1), the last of none. */
  posterior: Float32Array;
  evidenceOf: (own: Float32Array, types: readonly number[]) => NameEvidence;
}

/**
 * Assigns cell types without a reference: docs/methods/5-cluster-analysis.md. Cells with counts of their own (bins, whole
 * spots) are typed by these, others by the types that step 4 fitted to the spots. Cells are Unknown if there are neither:
 * with too few spots, or none of the catalog's genes.
 * @throws CancelledError once the signal is aborted.
 */
export async function assignTypes(
  input: TypingInput,
  options: TypingOptions,
): Promise<TypingResult & { basis: NameBasis | null }> {
  if (input.ownCounts) return (await byCounts(input, options)) ?? unnamed(input);
  return input.fitted ? byFit(input, input.fitted) : unnamed(input);
}

function byFit(input: TypingInput, fitted: FittedTypes): TypingResult & { basis: NameBasis } {
  const { sets, posterior, chosen, evidenceOf, takenBack } = nameByFit(fitted, input);
  if (input.withheld) withhold(chosen, input.withheld);
  const { species, tissue, tissueScores, types } = fitted.report;
  return {
    ...typingResult(chosen, {
      ...sourcesOf(input),
      method: "markers",
      markersFound: Object.fromEntries(
        types.map(({ name, markers }) => [name, markers.map((gene) => input.symbols[gene])]),
      ),
      namesTakenBack: takenBack,
      species,
      tissue,
      tissueScores,
    }),
    basis: { way: "fit", sets, posterior, evidenceOf },
  };
}

async function byCounts(
  input: TypingInput,
  { signal, progress }: TypingOptions,
): Promise<(TypingResult & { basis: NameBasis }) | null> {
  const { symbols, ids, tissue, nucleated, ownCounts } = input;
  const species = input.species ?? guessSpecies(symbols, ids);
  const pause = async (): Promise<void> => {
    await setImmediate();
    throwIfCancelled(signal);
  };
  const typed = await typeByCounts(
    { counts: ownCounts!, symbols, species, tissue, nucleated },
    { progress, pause },
  );
  if (!typed) return null;
  const { types: sets, posterior } = typed;
  const evidenceOf = (own: Float32Array, types: readonly number[]): NameEvidence => ({
    posterior: posteriorOf(own, types),
    support: 0,
    lookGain: null,
  });
  const chosen = nameCells(posterior, sets, (own, types) =>
    confidenceOf("counts", evidenceOf(own, types)),
  );
  if (input.withheld) withhold(chosen, input.withheld);
  const index = indexSymbols(symbols, new Uint8Array(symbols.length).fill(1));
  return {
    ...typingResult(chosen, {
      ...sourcesOf(input),
      method: "markers",
      markersFound: Object.fromEntries(
        MARKER_SETS.map(({ name, markers }) => [
          name,
          markers.filter((symbol) => genesOf(symbol, species, index).length > 0),
        ]),
      ),
      species,
      tissue: typed.tissue,
      tissueScores: Object.fromEntries(typed.shares),
    }),
    basis: { way: "counts", sets, posterior, evidenceOf },
  };
}

function unnamed(input: TypingInput): TypingResult & { basis: null } {
  const { nCells, symbols, ids } = input;
  const chosen: ChosenTypes = {
    type: new Int32Array(nCells).fill(-1),
    confidence: new Float32Array(nCells),
    margin: new Float32Array(nCells),
    names: [],
  };
  return {
    ...typingResult(chosen, {
      ...sourcesOf(input),
      method: "markers",
      markersFound: {},
      species: input.species ?? guessSpecies(symbols, ids),
      tissue: input.tissue ?? "unknown",
      tissueScores: {},
    }),
    basis: null,
  };
}

function sourcesOf({ species, tissue }: TypingInput): {
  speciesSource: "given" | "guessed";
  tissueSource: "given" | "guessed";
} {
  return {
    speciesSource: species ? "given" : "guessed",
    tissueSource: tissue ? "given" : "guessed",
  };
}
