import { counted } from "@stipple/contract/counted";
import type { Species } from "../../../species/guess-species.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { LegendEntry } from "../../../figures/legend.ts";
import type { SpatialStatistics } from "@stipple/contract/statistical-facts";
import { findDomains, MIN_CELLS_FOR_DOMAINS } from "../spatial-domains/find-domains.ts";
import { coOccurrence } from "./co-occurrence.ts";
import { geneValues } from "./gene-values.ts";
import { ligandReceptorPairs } from "./ligand-receptor-pairs.ts";
import { ligandReceptor, sampledContactsNote } from "./ligand-receptor.ts";
import { moransI } from "./morans-i.ts";
import type { RowNoun } from "../../../model/row-noun.ts";
import { neighborGraph, subgraph } from "../../../model/neighbor-graph.ts";
import { neighborhoodEnrichment } from "./neighborhood-enrichment.ts";
import type { TestedCells } from "./tested-cells.ts";
import { partOf, type Work } from "./work.ts";

export interface SpaceInput {
  /** What each row is. */
  rows: RowNoun;
  /** nCells × 2, full-resolution pixels. */
  xy: Matrix;
  micronsPerPixel: number;
  counts: SparseMatrix;
  tested: TestedCells;
  reliable: Uint8Array;
  geneNames: readonly string[];
  geneSymbols: readonly string[];
  species: Species;
  typeOf: Int32Array;
  types: readonly LegendEntry[];
  components: Matrix<Float32Array>;
  membership: Matrix<Float32Array>;
}

export interface SpaceResult {
  statistics: SpatialStatistics;
  /** Neighbors of all cells, µm. */
  neighbors: SparseMatrix;
  domainOf: Int32Array | null;
}

/** The graph of the tested cells, and each one's type as an index into `types`. */
interface Nodes {
  graph: SparseMatrix;
  typeOf: Int32Array;
  types: readonly string[];
}

/** A part of the work, from one fraction to another. */
type Part = (from: number, to: number) => Work & { permutations: number };

const PERMUTED_GENES = 100;
const CO_OCCURRENCE_UM = 500;
const CO_OCCURRENCE_STEP_UM = 20;
const CO_OCCURRENCE_PAIRS = 5e8;
/** Fewer tested cells are too few for spatial statistics. */
const MIN_TESTED = 20;

/**
 * Everything that analysis type "advanced" adds. Tests use only observed cells and reliable genes; domains are
 * descriptive and use all cells and inferred expression. Results that cannot be tested are null, and `notes`
 * explains why.
 */
export async function analyzeInSpace(
  input: SpaceInput,
  options: Work & { permutations: number },
): Promise<SpaceResult> {
  const { rows, tested, reliable, micronsPerPixel } = input;
  const { permutations } = options;
  const part: Part = (from, to) => ({ ...partOf(options, from, to), permutations });
  const graph = neighborGraph(input.xy, micronsPerPixel);
  const notes: string[] = [];
  const typeNames = input.types.map(({ name }) => name);
  const xyUm = Float64Array.from(input.xy.data, (value) => value * micronsPerPixel);
  const found = await findDomains(
    {
      xy: xyUm,
      spacingUm: graph.medianEdgeUm,
      components: input.components,
      membership: input.membership,
      typeOf: input.typeOf,
      typeNames,
    },
    part(0, 0.35),
  );
  if (!found) {
    notes.push(
      `There are fewer than ${MIN_CELLS_FOR_DOMAINS} ${rows}s, so spatial domains were not computed.`,
    );
  }
  const testedGraph = subgraph(graph.distances, [...tested.cells]);
  const statistics: SpatialStatistics = {
    testedCells: tested.cells.length,
    minimumCounts: tested.minimumCounts,
    testedGenes: reliable.reduce((sum, flag) => sum + flag, 0),
    graph: {
      edges: graph.edges,
      medianEdgeUm: graph.medianEdgeUm,
      maxEdgeUm: graph.maxEdgeUm,
      testedEdges: testedGraph.indices.length / 2,
    },
    moran: null,
    enrichment: null,
    coOccurrence: null,
    domains: found?.summary ?? null,
    ligandReceptor: null,
    notes,
  };
  if (tested.cells.length < MIN_TESTED) {
    notes.push(
      `Only ${counted(tested.cells.length, rows)} ${tested.cells.length === 1 ? "has" : "have"} enough observed counts, so spatial statistics were not computed.`,
    );
  } else {
    const nodes = {
      graph: testedGraph,
      typeOf: Int32Array.from(tested.cells, (cell) => input.typeOf[cell]),
      types: typeNames,
    };
    await testTypes(statistics, nodes, input, xyUm, part);
    await testGenes(statistics, nodes, input, part);
  }
  return { statistics, neighbors: graph.distances, domainOf: found?.domainOf ?? null };
}

/** Neighborhoods and co-occurrence of types, added to the statistics. */
async function testTypes(
  statistics: SpatialStatistics,
  { graph, typeOf, types }: Nodes,
  { rows, tested: { cells } }: SpaceInput,
  xyUm: Float64Array,
  part: Part,
): Promise<void> {
  statistics.enrichment = await neighborhoodEnrichment(graph, typeOf, types, part(0.35, 0.5));
  statistics.coOccurrence = await coOccurrence(
    Float64Array.from({ length: 2 * cells.length }, (_, i) => xyUm[2 * cells[i >> 1] + (i & 1)]),
    typeOf,
    types,
    {
      ...part(0.5, 0.6),
      maxDistanceUm: CO_OCCURRENCE_UM,
      stepUm: CO_OCCURRENCE_STEP_UM,
      maxPairs: CO_OCCURRENCE_PAIRS,
    },
  );
  const { centers } = statistics.coOccurrence;
  if (centers < cells.length) {
    statistics.notes.push(
      `Co-occurrence was counted around ${centers} randomly chosen ${rows}s of ${cells.length}.`,
    );
  }
}

/** Moran's I and ligand–receptor pairs of reliable genes, added to the statistics. */
async function testGenes(
  statistics: SpatialStatistics,
  nodes: Nodes,
  input: SpaceInput,
  part: Part,
): Promise<void> {
  const { testedGenes, notes } = statistics;
  if (testedGenes === 0) {
    notes.push("No gene is reliable, so Moran's I and ligand–receptor pairs were not tested.");
    return;
  }
  statistics.moran = await moransI(
    nodes.graph,
    geneValues(input.counts, input.tested, input.reliable),
    testedGenes,
    input.geneNames,
    { ...part(0.6, 0.8), permutedGenes: PERMUTED_GENES },
  );
  const pairs = ligandReceptorPairs(input.species);
  const values = signalValues(input, pairs);
  statistics.ligandReceptor = await ligandReceptor({ ...nodes, values, pairs }, part(0.8, 1));
  if (statistics.ligandReceptor.testedPairs === 0) {
    notes.push(
      pairs.length === 0
        ? "Ligand–receptor pairs are known only for human and mouse, so none was tested."
        : `None of ${pairs.length} known ligand–receptor pairs has two reliable genes, so none was tested.`,
    );
    return;
  }
  const sampled = sampledContactsNote(nodes.graph.indices.length);
  if (sampled) notes.push(sampled);
}

/** Values of reliable ligand and receptor genes, by symbol. */
function signalValues(
  { counts, tested, reliable, geneSymbols }: SpaceInput,
  pairs: readonly { ligand: string; receptor: string }[],
): Map<string, { rows: Uint32Array; values: Float32Array }> {
  const signals = new Set(pairs.flatMap(({ ligand, receptor }) => [ligand, receptor]));
  const wanted = Uint8Array.from(reliable, (flag, gene) =>
    flag && signals.has(geneSymbols[gene]) ? 1 : 0,
  );
  const values = new Map<string, { rows: Uint32Array; values: Float32Array }>();
  for (const { gene, rows, values: held } of geneValues(counts, tested, wanted)) {
    values.set(geneSymbols[gene], { rows: rows.slice(), values: held.slice() });
  }
  return values;
}
