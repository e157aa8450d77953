import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import {
  CLUSTER_FEATURES,
  CLUSTER_RESOLUTION,
  MAX_CLUSTER_GENES,
  MAX_OWN_GROUPS,
  visualizationClusters,
  visualizationGroupMarkers,
  visualizationSimilarGenes,
  type ClustersLine,
} from "@stipple/contract";
import { categoryColors } from "@stipple/pipeline/view";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import { cellSet } from "./cell-set.ts";
import type { ViewerComputing } from "./computing/viewer-computing.ts";
import { streamProgress, whileConnected } from "./stream-progress.ts";
import type { ViewerFiles } from "./viewer-files.ts";

/** Clusterings that people make in the view, their markers, and genes similar to a gene. */
export function exploringRoutes(
  mount: Mount,
  { files, computing }: { files: ViewerFiles; computing: ViewerComputing },
): void {
  mount(
    visualizationClusters,
    async ({ results: link, body, request }) => {
      const { features, resolution, genes = null } = body;
      const within = body.within === null ? null : cellSet("given", body.within);
      const results = await files.results(link.projectId, request);
      return streamProgress(
        request,
        (signal, progress) =>
          computing.slow(
            results,
            { kind: "clusters", order: { within, features, resolution, genes } },
            signal,
            progress,
          ),
        async ({ labels, nClusters }): Promise<ClustersLine> => ({
          clusters: {
            labels: await packed(labels),
            sizes: sizesOf(labels, nClusters),
            colors: categoryColors(nClusters),
          },
        }),
      );
    },
    { explain: (issues) => explained(issues[0]?.path[0]) },
  );

  mount(
    visualizationGroupMarkers,
    async ({ results: link, body, request }) => {
      const results = await files.results(link.projectId, request);
      const { nCells } = await files.manifest(link.projectId);
      const labels = await unpacked(body.labels, nCells);
      return streamProgress(
        request,
        (signal, progress) =>
          computing.slow(
            results,
            { kind: "markers", groups: { labels, names: body.names } },
            signal,
            progress,
          ),
        (markers) => ({ markers }),
      );
    },
    { explain: (issues) => explained(issues[0]?.path[0]) },
  );

  mount(visualizationSimilarGenes, async ({ results: link, query, request }) => {
    const results = await files.results(link.projectId, request);
    const body = await whileConnected(request, (signal) =>
      computing.slow(results, { kind: "similar", name: query.name, layer: query.layer }, signal),
    );
    return { status: 200, body };
  });
}

/** What is wrong with a part of a body, for people. */
function explained(part: PropertyKey | undefined): ApiError | undefined {
  const { least, most } = CLUSTER_RESOLUTION;
  const sentences: Readonly<Record<PropertyKey, string>> = {
    features: `Cells can be clustered by ${CLUSTER_FEATURES.join(", ")}.`,
    resolution: `The resolution must be a number from ${least} to ${most}.`,
    genes: `Name 1 to ${MAX_CLUSTER_GENES} genes, or leave the genes out.`,
    names: `Markers compare 2 to ${MAX_OWN_GROUPS} groups.`,
  };
  const sentence = part === undefined ? undefined : sentences[part];
  return sentence === undefined ? undefined : new ApiError("invalid_request", sentence);
}

function sizesOf(labels: Uint16Array, nClusters: number): number[] {
  const sizes = new Array<number>(nClusters).fill(0);
  for (const label of labels) if (label < nClusters) sizes[label]++;
  return sizes;
}

async function packed(labels: Uint16Array): Promise<string> {
  const bytes = Buffer.from(labels.buffer, labels.byteOffset, labels.byteLength);
  return (await promisify(deflate)(bytes)).toString("base64");
}

/** The groups of a sample's cells. Never inflates more than they take. */
async function unpacked(text: string, nCells: number): Promise<Uint16Array> {
  const wanted = 2 * nCells;
  const bytes = await promisify(inflate)(Buffer.from(text, "base64"), {
    maxOutputLength: wanted + 2,
  }).catch(() => null);
  if (bytes?.length !== wanted) {
    throw new ApiError(
      "invalid_request",
      `The groups must be base64 of deflated 16-bit numbers, one for each of the ${nCells} cells.`,
    );
  }
  return new Uint16Array(Uint8Array.from(bytes).buffer);
}
