import type { TypeFit } from "../facts.ts";
import { ANY_EPITHELIUM, MARKER_SETS } from "../markers/index.ts";
import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import { anchoredTypes, type SpotEvidence } from "./anchored-types.ts";
import type { FitOptions } from "./find-types.ts";
import type { Species } from "../species/guess-species.ts";
import { guessTissue } from "./guess-tissue.ts";
import { type CellGroups, scoreClusters, type ScoredSet } from "./score-clusters.ts";
import { indexSymbols, type ResolvedSet, resolveSets } from "./resolve-sets.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { isOutOfPlace } from "../markers/out-of-place.ts";
import { CANDIDATES, ENOUGH, LEARNED_PART } from "../model/constants.ts";

/** Types of cells, and each cell's posterior of them and, last, of none of them. */
export interface FittedTypes {
  report: TypeFit;
  /** nCells × (types + 1). */
  posterior: Float32Array;
}

/** Types that the spots confirm. */
export interface ConfirmedTypes extends FittedTypes {
  /** Names of all types that the tissue can contain, whether they were fitted or not. */
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
  const scored = scoreClusters(known, groups);
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

/** Ubiquitous types and those of the likely tissues; generic epithelium if these have no set for it. */
function candidatesFor(
  tissue: Tissue | "unknown",
  likely: readonly Tissue[],
  broad: readonly MarkerSet[],
): MarkerSet[] {
  const sets = broad.filter(
    ({ name, tissues }) =>
      (tissues.includes("any") && !isOutOfPlace(name, tissue)) ||
      tissues.some((own) => likely.includes(own)),
  );
  return sets.some(({ lineage }) => lineage === ANY_EPITHELIUM.lineage)
    ? sets
    : [...sets, ANY_EPITHELIUM];
}

/** Lineages that every tissue contains, even if the counts do not show them: vessels and connective tissue. */
const EVERYWHERE: readonly string[] = ["Endothelial", "Stromal"];

/**
 * Candidates that a whole transcriptome can contain, judged by the counts of its clusters. A type that occurs in many
 * tissues but need not (a T cell, a mast cell) stays only if its markers are raised in some cluster. Otherwise it would
 * take cells of other types, because a few of its rarely counted markers are raised by chance. The tissue's own types,
 * vessels, and connective tissue always remain. O(candidates · scores).
 */
export function shownCandidates(
  candidates: readonly ResolvedSet[],
  scored: readonly (readonly ScoredSet[])[],
): ResolvedSet[] {
  const raiseOf = new Map<string, number>();
  for (const { set, raise, error } of scored.flat()) {
    raiseOf.set(set.name, Math.max(raiseOf.get(set.name) ?? -Infinity, raise / error));
  }
  return candidates.filter(
    ({ set }) =>
      !set.tissues.includes("any") ||
      EVERYWHERE.includes(set.lineage) ||
      (raiseOf.get(set.name) ?? -Infinity) >= CANDIDATES.MIN_RAISE_IN_ERRORS,
  );
}

/**
 * Whether so many genes were measured that they were not selected for the tissue, or only by a filter for genes that
 * vary: most then have hardly any counts, and some are expressed equally in all cells. The genes of a panel were chosen
 * because cells express them and differ in them.
 */
function isWholeTranscriptome(nGenes: number): boolean {
  return nGenes > LEARNED_PART.MAX_PANEL_GENES;
}

/**
 * Tests which genes (nGenes × nSpots counts) have enough counts for typing: in a panel, all of them; in a whole
 * transcriptome, where most listed markers have few counts in any given tissue, those with 20 UMIs or more.
 */
export function countedMarkers({ nRows, indptr, data }: SparseMatrix): (gene: number) => boolean {
  if (!isWholeTranscriptome(nRows)) return () => true;
  return (gene) => {
    let umis = 0;
    for (let k = indptr[gene]; k < indptr[gene + 1] && umis < ENOUGH.COUNTS; k++) umis += data[k];
    return umis >= ENOUGH.COUNTS;
  };
}
