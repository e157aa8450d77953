import { setImmediate } from "node:timers/promises";
import { typeByCounts } from "../../cell-types/type-by-counts.ts";
import { throwIfCancelled } from "../../errors.ts";
import { MARKER_SETS } from "../../markers/index.ts";
import type { MarkerSet } from "../../markers/marker-set.ts";
import type { Species } from "../../species/guess-species.ts";
import { genesOf, indexSymbols, resolveSets, type ResolvedSet } from "../../types/resolve-sets.ts";
import { chooseTypes, withhold, type ChosenTypes } from "./choose-types.ts";
import { calibrated, sharesOfNames, type ConfidenceSignals } from "./confidence.ts";
import { divideType } from "./divide-type.ts";
import type { GeneStatistics } from "./gene-statistics.ts";
import type { TypingInput, TypingOptions } from "./typing-input.ts";
import { typingResult, type TypingResult } from "./typing-result.ts";

/**
 * Names cells that have counts of their own (HD): `typeByCounts`, then the subtypes of their types. Null if the sample
 * has none of the catalog's genes.
 */
export async function nameByCounts(
  input: TypingInput,
  species: Species,
  options: TypingOptions,
): Promise<(TypingResult & { signals: ConfidenceSignals }) | null> {
  const { symbols, nCells, reliable, ownCounts } = input;
  if (!ownCounts) return null;
  const typed = await typeByCounts(
    {
      counts: ownCounts,
      symbols,
      species,
      tissue: input.tissue,
      nucleated: input.nucleated ?? false,
    },
    {
      progress: (fraction) => options.progress(0.9 * fraction),
      pause: async () => {
        await setImmediate();
        throwIfCancelled(options.signal);
      },
    },
  );
  if (!typed) return null;
  const chosen = chooseTypes(typed.posterior, nCells, typed.types, { mostLikely: true });
  if (input.withheld) withhold(chosen, input.withheld);
  const index = indexSymbols(symbols, reliable);
  const resolve = (
    sets: readonly MarkerSet[],
    known: ReadonlyMap<number, GeneStatistics>,
  ): ResolvedSet[] =>
    resolveSets(sets, {
      species,
      index,
      reliable,
      usable: (gene) => known.has(gene),
      between: (gene) => known.get(gene)?.between ?? 0,
    });
  for (const parent of new Set(MARKER_SETS.flatMap((set) => set.parent ?? []))) {
    await divideType(parent, chosen, input, resolve, options);
  }
  options.progress(1);
  const signals = signalsOf(input, chosen);
  return {
    ...typingResult(
      { ...chosen, posterior: calibrated(chosen, signals) },
      {
        method: "markers",
        markersFound: Object.fromEntries(
          MARKER_SETS.map(({ name, markers }) => [
            name,
            markers.filter((symbol) => genesOf(symbol, species, index).length > 0),
          ]),
        ),
        species,
        speciesSource: input.species ? "given" : "guessed",
        tissue: typed.tissue,
        tissueSource: input.tissue ? "given" : "guessed",
        tissueScores: Object.fromEntries(typed.shares),
      },
    ),
    signals,
  };
}

function signalsOf({ sample, nCells }: TypingInput, chosen: ChosenTypes): ConfidenceSignals {
  const none = new Float32Array(nCells);
  return {
    ...(sample ?? { lookGain: null, spots: 0, bins: true }),
    way: "counts",
    posterior: chosen.posterior,
    ofHalves: none,
    evidence: none,
    byCluster: new Uint8Array(nCells),
    purity: none,
    share: sharesOfNames(chosen),
    raised: { rival: none, lead: none },
  };
}
