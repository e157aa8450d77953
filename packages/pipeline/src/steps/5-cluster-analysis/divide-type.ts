import { MARKER_SETS } from "../../markers/index.ts";
import type { MarkerSet } from "../../markers/marker-set.ts";
import { chooseTypes, type ChosenTypes } from "./choose-types.ts";
import { coherence } from "./coherence.ts";
import { geneStatistics, type CellRates, type GeneStatistics } from "./gene-statistics.ts";
import { guessSpecies } from "../../species/guess-species.ts";
import { genesOf, indexSymbols, type ResolvedSet } from "../../types/resolve-sets.ts";
import type { TypingInput, TypingOptions } from "./typing-input.ts";
import { weighByScores } from "./weigh-types.ts";

/** Types with fewer cells are not divided further. */
const MIN_CELLS_TO_DIVIDE = 20;
/** Subtypes whose markers are less correlated over the type's cells than this are absent. */
const MIN_KIND_COHERENCE = 0.08;

/**
 * Divides the cells of a type by the markers of its subtypes, standardized again within these cells. Requires at least
 * two distinguishable subtypes: with only one, the remaining cells would have no name. Modifies `chosen`; returns the
 * sets used.
 */
export async function divideType(
  parent: string,
  chosen: ChosenTypes,
  input: TypingInput,
  resolve: (
    sets: readonly MarkerSet[],
    known: ReadonlyMap<number, GeneStatistics>,
  ) => ResolvedSet[],
  options: TypingOptions,
): Promise<ResolvedSet[]> {
  const kinds = MARKER_SETS.filter((set) => set.parent === parent);
  const type = chosen.names.indexOf(parent);
  const cells = Int32Array.from(chosen.type.keys()).filter((cell) => chosen.type[cell] === type);
  if (type < 0 || cells.length < MIN_CELLS_TO_DIVIDE) return [];
  const part: CellRates = {
    nCells: cells.length,
    rates: {
      column: (gene) => {
        const column = input.rates.column(gene);
        return Float32Array.from(cells, (cell) => column[cell]);
      },
    },
    clusters: Int32Array.from(cells, (cell) => input.clusters[cell]),
    nClusters: input.nClusters,
  };
  const silent = { signal: options.signal, progress: () => undefined };
  const species = input.species ?? guessSpecies(input.symbols, input.ids);
  const index = indexSymbols(input.symbols, input.reliable);
  const genes = new Set(
    kinds.flatMap(({ markers, absent }) =>
      [...markers, ...absent].flatMap((symbol) => genesOf(symbol, species, index)),
    ),
  );
  const statistics = await geneStatistics([...genes], part, silent);
  const sets = resolve(kinds, statistics).filter(
    (resolved) => coherence(resolved, statistics, part) >= MIN_KIND_COHERENCE,
  );
  if (sets.length < 2) return [];
  const { posterior: ofKinds } = await weighByScores(sets, statistics, part, {
    ...options,
    ...silent,
  });
  const kindOf = chooseTypes(
    ofKinds,
    cells.length,
    // Make each its own lineage, so that ambiguous cells keep the parent's name.
    sets.map(({ set }) => ({ ...set, lineage: set.name })),
  );
  const first = chosen.names.length;
  chosen.names.push(...sets.map(({ set }) => set.name));
  cells.forEach((cell, i) => {
    const posterior = chosen.posterior[cell] * kindOf.posterior[i];
    if (kindOf.type[i] < 0 || posterior < 0.5) return;
    chosen.type[cell] = first + kindOf.type[i];
    chosen.posterior[cell] = posterior;
    chosen.margin[cell] = Math.min(chosen.margin[cell], kindOf.margin[i]);
  });
  return sets;
}
