import {
  RESULTS_HEADER,
  visualizationDifferentialProgress,
  visualizationFile,
  visualizationGene,
  visualizationGroupMeans,
  visualizationManifest,
  visualizationScore,
  visualizationSpotGene,
  visualizationStatistics,
  visualizationViews,
  type CellGrouping,
  type DifferentialTable,
  type GeneGroupMeans,
  type SavedView,
} from "@stipple/contract/routes/visualization";
import {
  visualizationClusters,
  visualizationGroupMarkers,
  visualizationSimilarGenes,
  type ClusterFeatures,
  type OwnClusters,
  type SimilarGenes,
} from "@stipple/contract/routes/exploring";
import { unpackRates } from "@stipple/contract/packed-rates";
import type {
  MarkerTable,
  OwnMarkerTable,
  SpatialStatistics,
} from "@stipple/contract/statistical-facts";
import { api, apiErrorOf, apiResponse, apiUrl, NetworkError, type Answer } from "../../app/api.ts";
import type { ViewFiles } from "@stipple/viewer/source";
import { followed } from "./followed.ts";

/** `rate`: inferred, for every cell. `counts`: observed molecules allocated to cells. */
export type GeneLayer = "rate" | "counts";

export type OpenedView = Answer<typeof visualizationManifest>;

/** What `ViewServer.clusters` is asked for. */
export interface ClusterOrder {
  within: string | null;
  features: ClusterFeatures;
  resolution: number;
  genes?: string[];
}

export interface ViewStatistics {
  markers: MarkerTable[];
  /** Null unless the analysis type is advanced. */
  spatial: SpatialStatistics | null;
}

/** What the server computes from the results behind one signed link, and their files. Throws the same errors as `apiResponse`. */
export interface ViewServer extends ViewFiles {
  /** The project and its view; asked for first. */
  open(signal: AbortSignal): Promise<OpenedView>;
  /** One value per cell; rates are accurate to 0.1%. */
  gene(name: string, layer: GeneLayer, signal: AbortSignal): Promise<Float32Array>;
  /** Genes (at most `MAX_MEANS_GENES`) summarized in every group; `within`: base64 of one bit per cell, null = all. */
  groupMeans(
    genes: readonly string[],
    layer: GeneLayer,
    by: CellGrouping,
    within: string | null,
    signal: AbortSignal,
  ): Promise<GeneGroupMeans[]>;
  /** One value per cell for a set of genes. */
  score(genes: readonly string[], layer: GeneLayer, signal: AbortSignal): Promise<Float32Array>;
  /** One count per spot. */
  spotGene(name: string, signal: AbortSignal): Promise<Float32Array>;
  /** `a`, `b`: base64 of one bit per cell; b null = all other cells. `progress` receives the share done, 0–1. */
  differential(
    a: string,
    b: string | null,
    signal: AbortSignal,
    progress: (done: number) => void,
  ): Promise<DifferentialTable>;
  /** Clusters cells; `within` as for `groupMeans`. */
  clusters(
    order: ClusterOrder,
    signal: AbortSignal,
    progress: (done: number) => void,
  ): Promise<OwnClusters>;
  /** Markers of groups: base64 of deflated little-endian uint16 per cell, and the groups' names. */
  groupMarkers(
    groups: { labels: string; names: string[] },
    signal: AbortSignal,
    progress: (done: number) => void,
  ): Promise<OwnMarkerTable>;
  similarGenes(name: string, layer: GeneLayer, signal: AbortSignal): Promise<SimilarGenes>;
  statistics(signal: AbortSignal): Promise<ViewStatistics>;
  views(signal: AbortSignal): Promise<SavedView[]>;
}

export function viewServer(token: string): ViewServer {
  const params = { token };
  /** Set once the view is open: the cells of other results are others. */
  const headers: Record<string, string> = {};
  const call = { params, headers };
  const floats = async (answer: Promise<Response>) =>
    new Float32Array(await (await answer).arrayBuffer());
  return {
    ...filesOf(token, headers),
    async open(signal) {
      const opened = await api(visualizationManifest, { params, signal });
      headers[RESULTS_HEADER] = opened.results;
      return opened;
    },
    async gene(name, layer, signal) {
      if (layer === "counts") {
        return floats(apiResponse(visualizationGene, { ...call, query: { name, layer }, signal }));
      }
      const query = { name, layer, packed: "1" } as const;
      const answer = await apiResponse(visualizationGene, { ...call, query, signal });
      return unpackRates(new Uint16Array(await answer.arrayBuffer()));
    },
    groupMeans: (genes, layer, by, within, signal) =>
      api(visualizationGroupMeans, {
        ...call,
        body: { genes: [...genes], layer, by, within },
        signal,
      }),
    score: (genes, layer, signal) =>
      floats(
        apiResponse(visualizationScore, {
          ...call,
          query: { genes: genes.join(","), layer },
          signal,
        }),
      ),
    spotGene: (name, signal) =>
      floats(apiResponse(visualizationSpotGene, { ...call, query: { name }, signal })),
    differential: async (a, b, signal, progress) =>
      followed(
        await apiResponse(visualizationDifferentialProgress, { ...call, body: { a, b }, signal }),
        "table",
        progress,
        signal,
      ),
    clusters: async (body, signal, progress) =>
      followed(
        await apiResponse(visualizationClusters, { ...call, body, signal }),
        "clusters",
        progress,
        signal,
      ),
    groupMarkers: async (body, signal, progress) =>
      followed(
        await apiResponse(visualizationGroupMarkers, { ...call, body, signal }),
        "markers",
        progress,
        signal,
      ),
    similarGenes: (name, layer, signal) =>
      api(visualizationSimilarGenes, { ...call, query: { name, layer }, signal }),
    statistics: async (signal) =>
      (await api(visualizationStatistics, { ...call, signal })) as unknown as ViewStatistics,
    views: (signal) => api(visualizationViews, { params, signal }),
  };
}

function filesOf(token: string, headers: Readonly<Record<string, string>>): ViewFiles {
  const at = (path: string) => ({
    params: { token, "*": path },
    // What lies in folders is of the image.
    ...(!path.includes("/") && { headers }),
  });
  return {
    file: (path, signal) =>
      apiResponse(visualizationFile, { ...at(path), ...(signal && { signal }) }),
    async range(path, from, to, signal) {
      const call = at(path);
      const asked = { ...call.headers, Range: `bytes=${from}-${to - 1}` };
      const address = apiUrl(visualizationFile, call);
      const response = await fetch(address, { headers: asked, ...(signal && { signal }) }).catch(
        (cause: unknown) => {
          if (signal?.aborted) throw signal.reason;
          throw new NetworkError("No connection to the server.", { cause });
        },
      );
      if (!response.ok) throw await apiErrorOf(response);
      const bytes = await response.arrayBuffer();
      // A server or proxy without range support sends the whole file.
      return response.status === 206 ? bytes : bytes.slice(from, to);
    },
  };
}
