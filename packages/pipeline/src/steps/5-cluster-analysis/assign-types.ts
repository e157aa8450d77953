import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import { ANY_EPITHELIUM, MARKER_SETS } from "../../markers/index.ts";
import type { MarkerSet, Tissue } from "../../markers/marker-set.ts";
import { hasNoNucleus } from "../../markers/without-nucleus.ts";
import { isWholeTranscriptome } from "../../model/whole-transcriptome.ts";
import { candidatesFor, classesFor } from "../../types/candidate-sets.ts";
import { chooseTypes, withhold, type ChosenTypes } from "./choose-types.ts";
import { coherence } from "./coherence.ts";
import {
  calibrated,
  posteriorOfNames,
  sharesOfNames,
  type ConfidenceSignals,
} from "./confidence.ts";
import { countedMarkers } from "../../types/counted-markers.ts";
import { divideType } from "./divide-type.ts";
import { geneStatistics, type GeneStatistics } from "./gene-statistics.ts";
import { guessSpecies } from "../../species/guess-species.ts";
import { guessTissue, type TissueGuess } from "../../types/guess-tissue.ts";
import { heedClusters } from "./heed-clusters.ts";
import { nameByCounts } from "./name-by-counts.ts";
import { lineageCandidates } from "./lineage-candidates.ts";
import { nameOfCluster, scoreClusters, type NamedMarkers } from "../../types/name-clusters.ts";
import {
  genesOf,
  indexSymbols,
  isSmallPanel,
  resolveSets,
  type ResolvedSet,
} from "../../types/resolve-sets.ts";
import { shownCandidates } from "../../types/shown-candidates.ts";
import { supportNames } from "./support-names.ts";
import type { TypingInput, TypingOptions } from "./typing-input.ts";
import { typingResult, type TypingResult } from "./typing-result.ts";
import { likeliestBy, weighByScores, weighBySpots, weighedByFit } from "./weigh-types.ts";

/** Types whose markers correlate less over cells than this are absent: some of their genes have other functions. */
const MIN_COHERENCE = 0.05;
/** With fewer reliable genes, scores and clusters name only lineages, and confidence is capped at MOST_OF_FEW. */
const FEW_RELIABLE = 30;
/** Even then, fitted types keep their names if looks add at least this much to the correlation with held-out spots. */
const TELLING_GAIN = 0.02;
const MOST_OF_FEW = 0.6;
/** Fraction of a lineage's markers that must be raised. It is low because only one of its types may be present. */
const LEAST_OF_LINEAGE = 0.4;

/**
 * Assigns cell types from marker genes, without a reference: docs/methods/5-cluster-analysis.md. Scores types in each
 * cell and its cluster, weighs them against each other within the guessed tissue, then divides them into narrower types
 * if their markers are present. Reads each marker at most three times; O(markers · cells), memory types · cells.
 * @throws CancelledError once the signal is aborted.
 */
export async function assignTypes(
  input: TypingInput,
  options: TypingOptions,
): Promise<TypingResult & { signals: ConfidenceSignals }> {
  const { symbols, ids, reliable, nCells } = input;
  const species = input.species ?? guessSpecies(symbols, ids);
  const byOwnCounts = input.ownCounts && (await nameByCounts(input, species, options));
  if (byOwnCounts) return byOwnCounts;
  const index = indexSymbols(symbols, reliable);
  const genes = new Set(
    [...MARKER_SETS, ANY_EPITHELIUM].flatMap(({ markers, absent }) =>
      [...markers, ...absent].flatMap((symbol) => genesOf(symbol, species, index)),
    ),
  );
  const within = (from: number, to: number) => ({
    signal: options.signal,
    others: options.others,
    progress: (fraction: number) => {
      options.progress(from + (to - from) * fraction);
    },
  });
  const statistics = await geneStatistics([...genes], input, within(0, 0.4));
  const counted = input.counted && { ...input.counted, others: options.others };
  const isCounted = counted && countedMarkers(counted.byGene);
  const resolve = (sets: readonly MarkerSet[], known: ReadonlyMap<number, GeneStatistics>) =>
    resolveSets(sets, {
      species,
      index,
      reliable,
      usable: (gene) => known.has(gene) && (isCounted?.(gene) ?? true),
      between: (gene) => known.get(gene)?.between ?? 0,
    });

  const broad = MARKER_SETS.filter(({ parent }) => parent === undefined);
  const sizes = new Float64Array(input.nClusters);
  for (const cluster of input.clusters) if (cluster >= 0) sizes[cluster]++;
  const isWhole = isWholeTranscriptome(symbols.length);
  const { fitted } = input;
  const guess: TissueGuess = fitted
    ? { tissue: fitted.report.tissue as Tissue, scores: fitted.report.tissueScores }
    : await guessFrom(
        resolve(broad, statistics),
        { ...input, counted },
        sizes,
        pausing(within(0.4, 0.45)),
      );
  const tissue = input.tissue ?? guess.tissue;
  const possible = resolve(candidatesFor(tissue, broad), statistics);
  const markersIn = (set: MarkerSet): NamedMarkers => ({
    set,
    genes: [...new Set(set.markers.flatMap((symbol) => genesOf(symbol, species, index)))],
  });
  const classes = classesFor(tissue).map(markersIn);
  const types = candidatesFor(tissue, broad)
    .filter(({ name }) => !(input.nucleated && hasNoNucleus(name, tissue)))
    .map(markersIn);
  const clusterScores = counted
    ? await scoreClusters({ types, classes }, input, counted, pausing(within(0.45, 0.5)))
    : undefined;
  const byFit = fitted ? weighedByFit(possible, fitted) : null;
  const candidates =
    byFit && fitted
      ? possible.filter(({ set }) => fitted.report.candidates.includes(set.name))
      : isWhole && clusterScores
        ? shownCandidates(possible, clusterScores)
        : possible;
  const few = isFew(input);
  const lineages =
    few && isSmallPanel(symbols.length) ? lineageCandidates(candidates, { types, classes }) : [];
  // Lineages compete only where few genes are reliable, which was not known when the types were fitted.
  const byTypes =
    (lineages.length === 0 ? byFit : null) ??
    (await weighBySpots([...candidates, ...lineages], input, within(0.5, 0.85)));
  // A panel that shows no type may still contain enough genes of the lineages.
  const alone =
    byTypes === null && isSmallPanel(symbols.length)
      ? lineageCandidates([], { types, classes })
      : [];
  const weighed =
    byTypes ??
    (await weighBySpots(alone, input, within(0.5, 0.85), LEAST_OF_LINEAGE)) ??
    (await weighByScores(
      candidates.filter((resolved) => coherence(resolved, statistics, input) >= MIN_COHERENCE),
      statistics,
      input,
      { ...options, ...within(0.5, 0.85) },
    ));
  if (clusterScores && weighed.ofHalves) {
    for (const posterior of [weighed.posterior, weighed.ofHalves])
      heedClusters(posterior, weighed.candidates, input.clusters, clusterScores);
  }
  const chosen = chooseTypes(
    weighed.posterior,
    nCells,
    weighed.candidates.map(({ set }) => set),
    { mostLikely: true },
  );
  if (input.withheld) withhold(chosen, input.withheld);
  if (few && (weighed.way === "scores" || !looksTell(input)))
    nameByLineage(
      chosen,
      weighed.candidates.map(({ set }) => set),
    );
  const doubted = input.nucleated ? withoutNucleus(chosen, tissue) : {};
  const narrow: ResolvedSet[] = [];
  const parents = new Set(MARKER_SETS.flatMap(({ parent }) => parent ?? []));
  for (const parent of few ? [] : parents) {
    narrow.push(...(await divideType(parent, chosen, input, resolve, options)));
  }
  const told = new Map(weighed.candidates.map(({ set, present }) => [set.name, present]));
  const competing =
    weighed.way === "scores" ? candidates : byTypes ? [...candidates, ...lineages] : alone;
  const supported = counted
    ? await supportNames(
        chosen,
        [...competing, ...narrow].map(({ set, markers }) => ({
          set,
          genes: told.get(set.name)?.map(({ gene }) => gene) ?? markers,
        })),
        counted,
        within(0.85, 1),
        {
          clusters: input.clusters,
          names: clusterScores!.map((scored) => nameOfCluster(scored, { broad: few })),
          eligible: Uint8Array.from({ length: nCells }, (_, cell) =>
            input.withheld?.[cell] ? 0 : 1,
          ),
          likeliest: weighed.way === "fit" ? likeliestBy(weighed) : undefined,
          classes,
        },
      )
    : {
        chosen,
        evidence: new Float32Array(nCells),
        purity: new Float32Array(nCells),
        raised: { rival: new Float32Array(nCells), lead: new Float32Array(nCells) },
        takenBack: {},
        byCluster: new Uint8Array(nCells),
        clusterMarkers: new Map<string, ReadonlySet<number>>(),
      };
  options.progress(1);
  const { posterior } = supported.chosen;
  const { evidence, purity, byCluster, raised } = supported;
  const signals: ConfidenceSignals = {
    ...(input.sample ?? { lookGain: null, spots: 0, bins: false }),
    way: weighed.way,
    posterior,
    ofHalves: weighed.ofHalves
      ? posteriorOfNames(
          supported.chosen,
          weighed.candidates.map(({ set }) => set),
          weighed.ofHalves,
        )
      : new Float32Array(nCells),
    evidence,
    byCluster,
    purity,
    share: sharesOfNames(supported.chosen),
    raised,
  };
  // The calibration was fitted on cells whose names were checked against counts.
  const stated = input.counted ? calibrated(supported.chosen, signals) : posterior;
  const confidence = few ? stated.map((value) => Math.min(MOST_OF_FEW, value)) : stated;
  const result = typingResult(
    { ...supported.chosen, posterior: confidence },
    {
      method: "markers",
      markersFound: {
        ...symbolsOf(supported.clusterMarkers, symbols),
        ...markersOf([...weighed.candidates, ...narrow], supported.chosen.names, symbols),
      },
      namesTakenBack: { ...supported.takenBack, ...doubted },
      species,
      speciesSource: input.species ? "given" : "guessed",
      tissue,
      tissueSource: input.tissue ? "given" : "guessed",
      tissueScores: guess.scores,
    },
  );
  return { ...result, signals };
}

/** Guesses the tissue from the spots' counts; cells without spots have none. */
async function guessFrom(
  sets: readonly ResolvedSet[],
  input: TypingInput,
  sizes: Float64Array,
  pause: (fraction: number) => Promise<void>,
): Promise<TissueGuess> {
  if (!input.counted) return { tissue: "unknown", scores: {} };
  const types = sets.map(({ set, markers }) => ({ set, genes: markers }));
  return guessTissue(
    await scoreClusters({ types, classes: [] }, input, input.counted, pause),
    sizes,
  );
}

/** Reports progress, yields to other work, and throws if the analysis was canceled. */
function pausing({ signal, progress }: TypingOptions): (fraction: number) => Promise<void> {
  return async (fraction) => {
    progress(fraction);
    await setImmediate();
    throwIfCancelled(signal);
  };
}

function isFew({ reliable, sample }: TypingInput): boolean {
  // Held-out bins have too few UMIs for genes to pass, but many bins together resolve types well.
  if (sample?.bins) return false;
  return reliable.reduce((sum, value) => sum + value, 0) < FEW_RELIABLE;
}

function looksTell({ sample }: TypingInput): boolean {
  return (sample?.lookGain ?? 0) >= TELLING_GAIN;
}

/** Replaces every type by its lineage. */
function nameByLineage(chosen: ChosenTypes, sets: readonly MarkerSet[]): void {
  chosen.type.forEach((type, cell) => {
    const lineage = sets[type]?.lineage;
    if (lineage !== undefined) chosen.type[cell] = chosen.names.indexOf(lineage);
  });
}

/** Removes types that a cell with a nucleus is unlikely to be; returns how many cells had each. */
function withoutNucleus(chosen: ChosenTypes, tissue: string): Record<string, number> {
  const cells: Record<string, number> = {};
  chosen.type.forEach((type, cell) => {
    const name = type < 0 ? undefined : chosen.names[type];
    if (name === undefined || !hasNoNucleus(name, tissue)) return;
    cells[name] = (cells[name] ?? 0) + 1;
    [chosen.type[cell], chosen.margin[cell]] = [-1, 0];
  });
  return cells;
}

/** Symbols of the markers behind each name. */
function symbolsOf(
  markers: ReadonlyMap<string, ReadonlySet<number>>,
  symbols: readonly string[],
): Record<string, string[]> {
  return Object.fromEntries(
    Array.from(markers, ([name, genes]) => [name, Array.from(genes, (gene) => symbols[gene])]),
  );
}

/** Symbols of the markers used for each set. */
function markersOf(
  sets: readonly ResolvedSet[],
  names: readonly string[],
  symbols: readonly string[],
): Record<string, string[]> {
  return Object.fromEntries(
    sets
      .filter(({ set }) => names.includes(set.name))
      .map((resolved) => [resolved.set.name, resolved.present.map(({ gene }) => symbols[gene])]),
  );
}
