import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import { anchoredTypes, type SpotEvidence } from "./anchored-types.ts";
import { chooseTypes, posteriorOfScores, withhold, type ChosenTypes } from "./choose-types.ts";
import { geneStatistics, type CellRates, type GeneStatistics } from "./gene-statistics.ts";
import { guessSpecies } from "./guess-species.ts";
import {
  calibrated,
  posteriorOfNames,
  sharesOfNames,
  type ConfidenceSignals,
  type SampleSignals,
  type TypingWay,
} from "./confidence.ts";
import { coherence } from "./coherence.ts";
import { guessTissue } from "./guess-tissue.ts";
import { ANY_EPITHELIUM, MARKER_SETS } from "../../markers/index.ts";
import { BROAD_SETS } from "../../markers/broad.ts";
import type { MarkerSet, Tissue } from "../../markers/marker-set.ts";
import { lineageCandidates } from "./lineage-candidates.ts";
import {
  genesOf,
  indexSymbols,
  isSmallPanel,
  resolveSets,
  type ResolvedSet,
} from "./resolve-sets.ts";
import { isOutOfPlace } from "../../markers/out-of-place.ts";
import { hasNoNucleus } from "../../markers/without-nucleus.ts";
import type { ObservedSpots } from "./group-rates.ts";
import { CLUSTER_SHARE, scoreCells } from "./score-cells.ts";
import {
  nameOfCluster,
  scoreClusters,
  type NamedMarkers,
  type ScoredSet,
} from "./name-clusters.ts";
import { likeliestOf, type Likeliest } from "./name-of-nameless.ts";
import { supportNames } from "./support-names.ts";
import { typingResult, type TypingResult } from "./typing-result.ts";

/** Softmax temperature and the score of "no known type", chosen on open data: docs/methods/5-cluster-analysis.md. */
const TEMPERATURE = 0.9;
const FLOOR = 0.5;
/** Fewer cells of a type are not divided further. */
const MIN_CELLS_TO_DIVIDE = 20;
/** Types whose markers go together less than this over cells are not there: some of their genes serve something else. */
const MIN_COHERENCE = 0.05;
/** … and kinds of a type, among its cells. */
const MIN_KIND_COHERENCE = 0.08;

/** With fewer reliable genes scores and clusters name lineages alone, and no name has more confidence than this. */
const FEW_RELIABLE = 30;
/** … unless the look of cells adds this much to the correlation with held-out spots: fitted types then keep their names. */
const TELLING_GAIN = 0.02;
const MOST_OF_FEW = 0.6;
/** Share of a lineage's markers that must be raised for it to be there: those of one of its types alone may be. */
const LEAST_OF_LINEAGE = 0.4;

export interface TypingInput extends CellRates {
  nCells: number;
  /** Gene symbols as in the input (nGenes), may hold duplicates. */
  symbols: readonly string[];
  ids: readonly string[];
  /** 1 = expression of this gene is reliable at cell level. */
  reliable: Uint8Array;
  /** Inferred expression, one gene over all cells. */
  rates: { column(gene: number): Float32Array };
  /** Cluster of each cell, 0 … nClusters − 1. */
  clusters: Int32Array;
  nClusters: number;
  /** What the spots say of the cells; without it, types are scored in each cell on its own. */
  spots?: SpotEvidence | undefined;
  /** What the spots counted: names need support there. Without it, every name stands. */
  counted?: ObservedSpots | undefined;
  /** What else tells how sure names are; needed with `counted`. */
  sample?: SampleSignals | undefined;
  /** 1 = the cell is to have no type. */
  withheld?: Uint8Array | undefined;
  /** Cells were found by their nuclei: types without a nucleus are then doubted. */
  nucleated?: boolean | undefined;
  /** Guessed where not given. */
  species?: "human" | "mouse" | undefined;
  tissue?: Exclude<Tissue, "any"> | undefined;
}

export interface TypingOptions {
  signal: AbortSignal;
  progress(fraction: number): void;
  /** For measuring other choices than the default ones. */
  temperature?: number | undefined;
  floor?: number | undefined;
  clusterShare?: number | undefined;
}

/**
 * Cell types from marker genes, without a reference: docs/methods/5-cluster-analysis.md. Types are scored in each cell
 * and its cluster, weighed against each other within the tissue that the sample seems to be, then divided into narrower
 * types where their markers are there. Reads each marker at most three times; O(markers · cells), memory types · cells.
 * @throws CancelledError once the signal is aborted.
 */
export async function assignTypes(
  input: TypingInput,
  options: TypingOptions,
): Promise<TypingResult & { signals: ConfidenceSignals }> {
  const { symbols, ids, reliable, nCells } = input;
  const species = input.species ?? guessSpecies(symbols, ids);
  const index = indexSymbols(symbols, reliable);
  const genes = new Set(
    [...MARKER_SETS, ANY_EPITHELIUM].flatMap(({ markers, absent }) =>
      [...markers, ...absent].flatMap((symbol) => genesOf(symbol, species, index)),
    ),
  );
  const within = (from: number, to: number) => ({
    signal: options.signal,
    progress: (fraction: number) => {
      options.progress(from + (to - from) * fraction);
    },
  });
  const statistics = await geneStatistics([...genes], input, within(0, 0.4));
  const resolve = (sets: readonly MarkerSet[], known: ReadonlyMap<number, GeneStatistics>) =>
    resolveSets(sets, {
      species,
      index,
      reliable,
      usable: (gene) => known.has(gene),
      between: (gene) => known.get(gene)?.between ?? 0,
    });

  const broad = MARKER_SETS.filter(({ parent }) => parent === undefined);
  const sizes = new Float64Array(input.nClusters);
  for (const cluster of input.clusters) if (cluster >= 0) sizes[cluster]++;
  const guess = guessTissue(resolve(broad, statistics), statistics, sizes);
  const tissue = input.tissue ?? guess.tissue;
  const candidates = resolve(candidatesFor(tissue, broad), statistics);
  const markersIn = (set: MarkerSet): NamedMarkers => ({
    set,
    genes: [...new Set(set.markers.flatMap((symbol) => genesOf(symbol, species, index)))],
  });
  const classes = classesFor(tissue).map(markersIn);
  const types = candidatesFor(tissue, broad)
    .filter(({ name }) => !(input.nucleated && hasNoNucleus(name, tissue)))
    .map(markersIn);
  const clusterScores = input.counted
    ? await scoreClusters({ types, classes }, input, input.counted, pausing(within(0.4, 0.5)))
    : undefined;
  const few = isFew(input);
  const lineages =
    few && isSmallPanel(symbols.length) ? lineageCandidates(candidates, { types, classes }) : [];
  const byTypes = await weighBySpots([...candidates, ...lineages], input, within(0.5, 0.85));
  // A panel that shows no type may still hold enough genes of the lineages.
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
    narrow.push(...(await divide(parent, chosen, input, resolve, options)));
  }
  const told = new Map(weighed.candidates.map(({ set, present }) => [set.name, present]));
  const competing =
    weighed.way === "scores" ? candidates : byTypes ? [...candidates, ...lineages] : alone;
  const supported = input.counted
    ? await supportNames(
        chosen,
        [...competing, ...narrow].map(({ set, markers }) => ({
          set,
          genes: told.get(set.name)?.map(({ gene }) => gene) ?? markers,
        })),
        input.counted,
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
  // The map was fitted on cells whose names were held against counts.
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

/** Tells how far a piece of work is, lets others run and throws when the analysis was cancelled. */
function pausing({ signal, progress }: TypingOptions): (fraction: number) => Promise<void> {
  return async (fraction) => {
    progress(fraction);
    await setImmediate();
    throwIfCancelled(signal);
  };
}

function isFew({ reliable, sample }: TypingInput): boolean {
  // Held-out bins hold too few UMIs to pass genes, but many bins together tell types well.
  if (sample?.bins) return false;
  return reliable.reduce((sum, value) => sum + value, 0) < FEW_RELIABLE;
}

function looksTell({ sample }: TypingInput): boolean {
  return (sample?.lookGain ?? 0) >= TELLING_GAIN;
}

/** Takes every type back to its lineage. */
function nameByLineage(chosen: ChosenTypes, sets: readonly MarkerSet[]): void {
  chosen.type.forEach((type, cell) => {
    const lineage = sets[type]?.lineage;
    if (lineage !== undefined) chosen.type[cell] = chosen.names.indexOf(lineage);
  });
}

/** Broad classes of the tissue; all of them where it is not known. */
function classesFor(tissue: Tissue | "unknown"): MarkerSet[] {
  return BROAD_SETS.filter(
    ({ tissues }) => tissue === "unknown" || tissues.includes("any") || tissues.includes(tissue),
  );
}

/** Takes back types that a cell with a nucleus can hardly have; how many cells had each. */
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

/** Candidates that are left, and each cell's posterior of them and, last, of none of them. */
interface Weighed {
  candidates: ResolvedSet[];
  posterior: Float32Array;
  /** The same by models that saw half of the spots each; null where types are scored. */
  ofHalves: Float32Array | null;
  way: TypingWay;
}

/** What the fit takes each cell for. */
function likeliestBy({ posterior, candidates }: Weighed): (cell: number) => Likeliest | undefined {
  const sets = candidates.map(({ set }) => set);
  const width = sets.length + 1;
  return (cell) => likeliestOf(posterior.subarray(cell * width, (cell + 1) * width), sets);
}

/** Types fitted to the spots; null where these are too few or confirm none. */
async function weighBySpots(
  candidates: readonly ResolvedSet[],
  { spots }: TypingInput,
  { signal, progress }: TypingOptions,
  leastConfirmed?: number,
): Promise<Weighed | null> {
  if (!spots || candidates.length === 0) return null;
  const result = await anchoredTypes(
    candidates.map(({ set, markers, absent }) => ({
      name: set.name,
      present: markers,
      absent: absent.map(({ gene }) => gene),
    })),
    spots,
    {
      progress,
      leastConfirmed,
      pause: async () => {
        await setImmediate();
        throwIfCancelled(signal);
      },
    },
  );
  if (!result) return null;
  return {
    way: "fit",
    candidates: result.kept.map((i, t) => {
      const present = result.confirmed[t].map((gene) => ({ gene, weight: 1 }));
      return { ...candidates[i], present };
    }),
    posterior: result.posterior,
    ofHalves: result.ofHalves,
  };
}

/** By how much a cluster's markers move the log odds of its cells' types against each other at most, and how fast. */
const CLUSTER_SAY = 1;
const CLUSTER_SLOPE = 0.5;

/** Moves the posteriors of cells toward the types whose markers their cluster shows; those of none stay. Changes `posterior`. */
function heedClusters(
  posterior: Float32Array,
  candidates: readonly ResolvedSet[],
  clusters: Int32Array,
  scores: readonly ScoredSet[][],
): void {
  const width = candidates.length + 1;
  const nTypes = candidates.length;
  const factors = scores.map((scored) => {
    const odds = candidates.map(
      ({ set }) => scored.find((one) => one.isType && one.set.name === set.name)?.odds ?? -Infinity,
    );
    const best = Math.max(...odds);
    if (best === -Infinity) return odds.map(() => 1);
    return odds.map((own) => Math.exp(-Math.min(CLUSTER_SAY, CLUSTER_SLOPE * (best - own))));
  });
  clusters.forEach((cluster, cell) => {
    if (cluster < 0) return;
    const own = posterior.subarray(cell * width, (cell + 1) * width);
    const named = 1 - own[nTypes];
    let sum = 0;
    for (let t = 0; t < nTypes; t++) sum += own[t] *= factors[cluster][t];
    for (let t = 0; t < nTypes; t++) own[t] *= sum > 0 ? named / sum : 0;
  });
}

/** Types scored in each cell and its cluster. */
async function weighByScores(
  candidates: ResolvedSet[],
  statistics: ReadonlyMap<number, GeneStatistics>,
  input: TypingInput,
  options: TypingOptions,
): Promise<Weighed> {
  const scores = await scoreCells(candidates, statistics, input, {
    ...options,
    clusterShare: options.clusterShare ?? CLUSTER_SHARE,
  });
  const { temperature = TEMPERATURE, floor = FLOOR } = options;
  return {
    way: "scores",
    candidates,
    ofHalves: null,
    posterior: posteriorOfScores(scores, input.nCells, { temperature, floor }),
  };
}

/** Types found everywhere and those of the tissue; plain epithelium where the tissue has none of its own. */
function candidatesFor(tissue: Tissue | "unknown", broad: readonly MarkerSet[]): MarkerSet[] {
  const sets = broad.filter(
    ({ name, tissues }) =>
      (tissues.includes("any") && !isOutOfPlace(name, tissue)) ||
      (tissue !== "unknown" && tissues.includes(tissue)),
  );
  return sets.some(({ lineage }) => lineage === ANY_EPITHELIUM.lineage)
    ? sets
    : [...sets, ANY_EPITHELIUM];
}

/**
 * Divides the cells of a type by the markers of its kinds, standardized anew among these cells. Only where two kinds or
 * more can be told: with one alone, "not that" would have no name. Changes `chosen`; returns the sets used.
 */
async function divide(
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
  const scores = await scoreCells(sets, statistics, part, {
    ...silent,
    clusterShare: options.clusterShare ?? CLUSTER_SHARE,
  });
  const { temperature = TEMPERATURE, floor = FLOOR } = options;
  const kindOf = chooseTypes(
    posteriorOfScores(scores, cells.length, { temperature, floor }),
    cells.length,
    // Each its own lineage: what cannot be told stays with the parent.
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

/** Symbols of the markers that each name was given for. */
function symbolsOf(
  markers: ReadonlyMap<string, ReadonlySet<number>>,
  symbols: readonly string[],
): Record<string, string[]> {
  return Object.fromEntries(
    Array.from(markers, ([name, genes]) => [name, Array.from(genes, (gene) => symbols[gene])]),
  );
}

/** Symbols of the markers that each set was told by. */
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
