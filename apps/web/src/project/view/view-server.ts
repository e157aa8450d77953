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
} from "@stipple/contract/routes/visualization";
import {
  visualizationClusters,
  visualizationGroupMarkers,
  visualizationSimilarGenes,
  type ClusterFeatures,
  type OwnClusters,
} from "@stipple/contract/routes/exploring";
import { joinedGenes } from "@stipple/contract/gene-list";
import { unpackRates } from "@stipple/contract/packed-rates";
import type {
  MarkerTable,
  OwnMarkerTable,
  SpatialStatistics,
} from "@stipple/contract/statistical-facts";
import {
  api,
  apiErrorOf,
  apiResponse,
  apiUrl,
  NetworkError,
  type Answer,
  ApiError,
} from "../../app/api.ts";
import type { ViewFiles } from "@stipple/viewer/source";
import type { Problem } from "@stipple/contract/errors/problem";

/** `rate`: inferred, for every cell. `counts`: observed molecules allocated to cells. */
export type GeneLayer = "rate" | "counts";

type Progress = (done: number) => void;

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

export type ViewServer = ReturnType<typeof viewServer>;

/** What the server computes from the results behind one signed link, and their files. Throws the same errors as `apiResponse`. */
export function viewServer(token: string) {
  const params = { token };
  /** Set once the view is open: the cells of other results are others. */
  const headers: Record<string, string> = {};
  const call = { params, headers };
  const floats = async (answer: Promise<Response>) =>
    new Float32Array(await (await answer).arrayBuffer());
  return {
    ...filesOf(token, headers),
    /** The project and its view; asked for first. */
    async open(signal: AbortSignal) {
      const opened = await api(visualizationManifest, { params, signal });
      headers[RESULTS_HEADER] = opened.results;
      return opened;
    },
    /** One value per cell; rates are accurate to 0.1%. */
    async gene(name: string, layer: GeneLayer, signal: AbortSignal) {
      if (layer === "counts") {
        return floats(apiResponse(visualizationGene, { ...call, query: { name, layer }, signal }));
      }
      const query = { name, layer, packed: "1" } as const;
      const answer = await apiResponse(visualizationGene, { ...call, query, signal });
      return unpackRates(new Uint16Array(await answer.arrayBuffer()));
    },
    /** Genes (at most `MAX_MEANS_GENES`) summarized in every group; `within`: base64 of one bit per cell, null = all. */
    groupMeans(
      genes: readonly string[],
      layer: GeneLayer,
      by: CellGrouping,
      within: string | null,
      signal: AbortSignal,
    ) {
      const body = { genes: [...genes], layer, by, within };
      return api(visualizationGroupMeans, { ...call, body, signal });
    },
    /** One value per cell for a set of genes. */
    score(genes: readonly string[], layer: GeneLayer, signal: AbortSignal) {
      const query = { genes: joinedGenes(genes), layer };
      return floats(apiResponse(visualizationScore, { ...call, query, signal }));
    },
    /** One count per spot. */
    spotGene: (name: string, signal: AbortSignal) =>
      floats(apiResponse(visualizationSpotGene, { ...call, query: { name }, signal })),
    /** `a`, `b`: base64 of one bit per cell; b null = all other cells. `progress` receives the share done, 0–1. */
    differential: async (a: string, b: string | null, signal: AbortSignal, progress: Progress) =>
      followed<DifferentialTable, "table">(
        await apiResponse(visualizationDifferentialProgress, { ...call, body: { a, b }, signal }),
        "table",
        progress,
        signal,
      ),
    /** Clusters cells; `within` as for `groupMeans`. */
    clusters: async (body: ClusterOrder, signal: AbortSignal, progress: Progress) =>
      followed<OwnClusters, "clusters">(
        await apiResponse(visualizationClusters, { ...call, body, signal }),
        "clusters",
        progress,
        signal,
      ),
    /** Markers of groups: base64 of deflated little-endian uint16 per cell, and the groups' names. */
    groupMarkers: async (
      body: { labels: string; names: string[] },
      signal: AbortSignal,
      progress: Progress,
    ) =>
      followed<OwnMarkerTable, "markers">(
        await apiResponse(visualizationGroupMarkers, { ...call, body, signal }),
        "markers",
        progress,
        signal,
      ),
    similarGenes: (name: string, layer: GeneLayer, signal: AbortSignal) =>
      api(visualizationSimilarGenes, { ...call, query: { name, layer }, signal }),
    statistics: async (signal: AbortSignal) =>
      (await api(visualizationStatistics, { ...call, signal })) as unknown as ViewStatistics,
    views: (signal: AbortSignal) => api(visualizationViews, { params, signal }),
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

type Line<Key extends string, Result> =
  { done: number } | { problem: Problem } | Record<Key, Result>;

/**
 * Reads a computation's line stream up to its result, which the last line holds as `key`, calling `progress` along the
 * way. Throws ApiError if the server failed, NetworkError if the lines end early, and the signal's reason when aborted.
 */
export async function followed<Result, Key extends string>(
  { body }: Response,
  key: Key,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<Result> {
  if (!body) throw new NetworkError("The response is empty.");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new NetworkError("The response ended early.");
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const line = JSON.parse(text) as Line<Key, Result>;
        if (key in line) return (line as Record<Key, Result>)[key];
        if ("problem" in line) {
          const { status, code, error } = line.problem;
          throw new ApiError(status, code, error);
        }
        progress((line as { done: number }).done);
      }
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ApiError || cause instanceof NetworkError) throw cause;
    throw new NetworkError("No connection to the server.", { cause });
  }
}
