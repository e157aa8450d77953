import type { TypeFit } from "../facts.ts";
import { ANY_EPITHELIUM, MARKER_SETS } from "../markers/index.ts";
import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import { anchoredTypes, type SpotEvidence } from "./anchored-types.ts";
import {
  candidatesFor,
  countedMarkers,
  isWholeTranscriptome,
  shownCandidates,
} from "./candidates.ts";
import type { FitOptions } from "./find-types.ts";
import type { Species } from "../species/guess-species.ts";
import { guessTissue } from "./guess-tissue.ts";
import { scoreClusters, type CellGroups } from "./score-clusters.ts";
import { indexSymbols, resolveSets } from "./resolve-sets.ts";

/** Types of cells, and each cell's posterior of them and, last, of none of them. */
export interface FittedTypes {
  report: TypeFit;
  /** nCells × (types + 1). */
  posterior: Float32Array;
}

/** Types that the spots confirm. */
export interface ConfirmedTypes extends FittedTypes {
  /** Names of all types that competed. */
  candidates: string[];
}

/** What is known of a sample before its cells have rates. */
export interface UntypedCells {
  symbols: readonly string[];
  /** 1 = the gene varies between spots; others cannot tell that a type is absent. */
  varying: Uint8Array;
  species: Species;
  /** Guessed if omitted. */
  tissue?: Exclude<Tissue, "any"> | undefined;
  /** Groups of cells whose expression differs, by which the tissue is guessed. */
  groups: CellGroups;
  spots: SpotEvidence;
}

/**
 * Fits cell types to the spots' counts of marker genes and the looks of cells (`anchoredTypes`). The types are those of
 * the given tissue, or of those that the counts make likely. Null if there are too few spots or none of the types is confirmed.
 */
export async function fitTypes(
  cells: UntypedCells,
  options: FitOptions,
): Promise<ConfirmedTypes | null> {
  const { symbols, species, varying, groups, spots } = cells;
  const { byGene } = spots;
  const isCounted = countedMarkers(byGene);
  const resolve = (sets: readonly MarkerSet[]) =>
    resolveSets(sets, {
      species,
      index: indexSymbols(symbols, varying),
      varying,
      usable: (gene) => byGene.indptr[gene + 1] > byGene.indptr[gene] && isCounted(gene),
    });
  const broad = MARKER_SETS.filter(({ parent }) => parent === undefined);
  const known = resolve([...broad, ANY_EPITHELIUM]);
  if (known.length === 0) return null;
  const scored = scoreClusters(
    known.map(({ set, markers }) => ({ set, genes: markers })),
    groups,
  );
  const guess = guessTissue(
    scored.map((ofGroup) => ofGroup.filter(({ set }) => set !== ANY_EPITHELIUM)),
    groups.sizes,
  );
  const { tissue, likely } = cells.tissue
    ? { tissue: cells.tissue, likely: [cells.tissue] }
    : guess;
  const possible = resolve(candidatesFor(tissue, likely, broad));
  const candidates = isWholeTranscriptome(symbols.length)
    ? shownCandidates(possible, scored)
    : possible;
  const found = await anchoredTypes(candidates, spots, options);
  if (!found) return null;
  return {
    report: {
      species,
      tissue,
      tissueScores: guess.scores,
      types: found.kept.map((i, t) => ({
        name: candidates[i].set.name,
        markers: found.confirmed[t],
      })),
    },
    candidates: candidates.map(({ set }) => set.name),
    posterior: found.posterior,
  };
}
