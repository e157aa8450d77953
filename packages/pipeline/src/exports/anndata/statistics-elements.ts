import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type {
  GroupMarkers,
  LigandReceptorTable,
  MarkerTable,
  Maybe,
  MoranTable,
  SpatialStatistics,
} from "@stipple/contract/statistical-facts";
import type { StepContext } from "../../step.ts";

/** What uns may hold: scalars, string arrays, arrays with a shape, data frames, structured arrays, dicts. */
export type UnsValue =
  | string
  | number
  | readonly string[]
  | { array: Float64Array | Int32Array; shape: readonly number[] }
  | { table: { index: readonly string[]; columns: Record<string, Float64Array> } }
  /** A NumPy structured array: fields of equal length. */
  | { records: Record<string, readonly string[] | Float64Array> }
  | { dict: Record<string, UnsValue> };

/** The statistics of step 6 as elements of an .h5ad, under scanpy's and squidpy's names. */
export interface AnnDataElements {
  /** Categorical columns of obs; colors go to uns[`${name}_colors`]. */
  obs: { name: string; codes: Int32Array; categories: string[]; colors: string[] }[];
  /** nCells × nCells. Distances are in the units of obsm["spatial"], full-resolution pixels. */
  obsp: Record<string, SparseMatrix>;
  /** nGenes × named columns; NaN if a gene was not tested. */
  varm: Record<string, { columns: string[]; matrix: Matrix<Float32Array> }>;
  uns: Record<string, UnsValue>;
}

/**
 * Results of step 6. A basic run provides only markers (`rank_genes_groups`, …_cluster); an advanced run also
 * neighbors, domains, moranI, nhood_enrichment, co_occurrence, and ligrec.
 */
export async function statisticsForAnnData(
  read: StepContext["readIfAny"],
): Promise<AnnDataElements> {
  const elements: AnnDataElements = { obs: [], obsp: {}, varm: {}, uns: {} };
  for (const table of (await read("sample/markers")) ?? []) {
    // scanpy cannot read a table without any genes, which is what a sample without reliable genes gives.
    const groups = table.groups.filter(({ genes }) => genes.length > 0);
    if (groups.length === 0) continue;
    const key = table.groupBy === "cell_type" ? "" : `_${table.groupBy}`;
    elements.uns[`rank_genes_groups${key}`] = rankedGenes({ ...table, groups });
  }
  const typeNames = await read("types/name");
  const clusterAuc = await read("genes/cluster_auc");
  const typeAuc = await read("genes/type_auc");
  if (typeNames && typeAuc) {
    elements.varm["auc_cell_type"] = { columns: typeNames, matrix: typeAuc };
  }
  if (clusterAuc) {
    elements.varm["auc_cluster"] = {
      columns: Array.from({ length: clusterAuc.nCols }, (_, cluster) => String(cluster)),
      matrix: clusterAuc,
    };
  }
  const statistics = await read("sample/spatial_statistics");
  const neighbors = await read("cells/neighbors");
  const scale = await read("sample/scale");
  if (!statistics || !neighbors || !scale) return elements;

  const { micronsPerPixel } = scale;
  addNeighbors(elements, neighbors, statistics.graph.maxEdgeUm, micronsPerPixel);
  const domainOf = await read("cells/domain");
  if (statistics.domains && domainOf) {
    elements.obs.push({
      name: "domain",
      codes: domainOf,
      categories: statistics.domains.names,
      colors: statistics.domains.colors,
    });
  }
  Object.assign(elements.uns, spatialTables(statistics, micronsPerPixel));
  return elements;
}

/** Adds a graph of neighboring cells as squidpy stores it; `distances` are in µm, the longest edge is `maxEdgeUm`. */
export function addNeighbors(
  elements: AnnDataElements,
  distances: SparseMatrix,
  maxEdgeUm: number,
  micronsPerPixel: number,
): void {
  elements.obsp["spatial_connectivities"] = {
    ...distances,
    data: new Float32Array(distances.data.length).fill(1),
  };
  elements.obsp["spatial_distances"] = {
    ...distances,
    data: distances.data.map((um) => um / micronsPerPixel),
  };
  elements.uns["spatial_neighbors"] = {
    dict: {
      connectivities_key: "spatial_connectivities",
      distances_key: "spatial_distances",
      params: {
        dict: {
          coord_type: "generic",
          delaunay: 1,
          // In squidpy, a pair prunes the triangulation; a single number is ignored.
          radius: { array: Float64Array.of(0, maxEdgeUm / micronsPerPixel), shape: [2] },
        },
      },
    },
  };
}

function rankedGenes({ groupBy, groups }: MarkerTable): UnsValue {
  const records = (pick: (group: GroupMarkers) => string[] | number[]): UnsValue => ({
    records: Object.fromEntries(
      groups.map((group) => {
        const values = pick(group);
        return [group.group, isText(values) ? values : Float64Array.from(values)];
      }),
    ),
  });
  return {
    dict: {
      params: {
        dict: {
          groupby: groupBy,
          reference: "rest",
          method: "spearman-over-spots",
          // scanpy only checks whether it is true.
          use_raw: 0,
          layer: "counts",
          corr_method: "benjamini-hochberg",
        },
      },
      names: records((group) => group.genes),
      scores: records((group) => group.scores),
      pvals: records((group) => group.pvals),
      pvals_adj: records((group) => group.pvalsAdj),
      logfoldchanges: records((group) => group.logFoldChanges),
    },
  };
}

function isText(values: string[] | number[]): values is string[] {
  return typeof values[0] === "string";
}

function spatialTables(
  statistics: SpatialStatistics,
  micronsPerPixel: number,
): Record<string, UnsValue> {
  const { moran, enrichment, coOccurrence, ligandReceptor } = statistics;
  const uns: Record<string, UnsValue> = {};
  if (moran && moran.genes.length > 0) uns["moranI"] = moranTable(moran);
  if (enrichment) {
    const n = enrichment.types.length;
    uns["cell_type_nhood_enrichment"] = {
      dict: {
        zscore: { array: floats(enrichment.zscore.flat()), shape: [n, n] },
        count: { array: Int32Array.from(enrichment.count.flat()), shape: [n, n] },
      },
    };
  }
  if (coOccurrence) {
    const n = coOccurrence.types.length;
    const { intervalUm, occ } = coOccurrence;
    uns["cell_type_co_occurrence"] = {
      dict: {
        occ: { array: floats(occ.flat(2)), shape: [n, n, intervalUm.length - 1] },
        interval: {
          array: Float64Array.from(intervalUm, (um) => um / micronsPerPixel),
          shape: [intervalUm.length],
        },
      },
    };
  }
  if (ligandReceptor && ligandReceptor.ligand.length > 0) {
    uns["cell_type_ligrec"] = ligandReceptorTables(ligandReceptor);
  }
  return uns;
}

function moranTable(moran: MoranTable): UnsValue {
  return {
    table: {
      index: moran.genes,
      columns: {
        I: Float64Array.from(moran.I),
        pval_norm: Float64Array.from(moran.pNormal),
        var_norm: new Float64Array(moran.genes.length).fill(moran.variance),
        pval_z_sim: floats(moran.pZSimulated),
        pval_sim: floats(moran.pSimulated),
        var_sim: floats(moran.varianceSimulated),
        pval_norm_fdr_bh: Float64Array.from(moran.fdr),
      },
    },
  };
}

/** Pairs of genes in rows, pairs of types in columns, as in squidpy's tables; NaN where not tested. */
function ligandReceptorTables(table: LigandReceptorTable): UnsValue {
  const pairs = new Map<string, number>();
  const types = new Map<string, number>();
  const place = (places: Map<string, number>, key: string): number => {
    const known = places.get(key) ?? places.size;
    places.set(key, known);
    return known;
  };
  const at = table.ligand.map(
    (ligand, row) =>
      [
        place(pairs, `${ligand}\t${table.receptor[row]}`),
        place(types, `${table.sender[row]}\t${table.receiver[row]}`),
      ] as const,
  );
  const grid = (values: readonly Maybe[]): UnsValue => {
    const array = new Float64Array(pairs.size * types.size).fill(NaN);
    at.forEach(([pair, type], row) => (array[pair * types.size + type] = values[row] ?? NaN));
    return { array, shape: [pairs.size, types.size] };
  };
  const names = (places: Map<string, number>, side: 0 | 1): string[] =>
    Array.from(places.keys(), (key) => key.split("\t")[side]);
  return {
    dict: {
      means: grid(table.mean),
      pvalues: grid(table.pvalue),
      pvalues_fdr_bh: grid(table.fdr),
      scores: grid(table.score),
      source: names(pairs, 0),
      target: names(pairs, 1),
      cluster_1: names(types, 0),
      cluster_2: names(types, 1),
    },
  };
}

function floats(values: readonly Maybe[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? NaN);
}
