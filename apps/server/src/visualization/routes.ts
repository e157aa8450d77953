import { extname } from "node:path";
import * as routes from "@stipple/contract";
import { cleanOptions } from "@stipple/contract/analysis-options";
import { genesOf } from "@stipple/contract/gene-list";
import { platformById } from "@stipple/contract/platforms/index";
import { fieldPath } from "@stipple/pipeline/results";
import { VIEWER_FOLDER } from "@stipple/pipeline/view";
import type { MarkerTable, SpatialStatistics } from "@stipple/contract/statistical-facts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Projects } from "../projects/projects.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { Shares } from "./shares.ts";
import { ApiError } from "../http/api-error.ts";
import { matchesEtag } from "../http/matches-etag.ts";
import { ok, type FileAnswer, type Mount } from "../http/route-adapter.ts";
import { fileAnswer } from "../outputs/file-answer.ts";
import { storedStatistics } from "../outputs/stored-statistics.ts";
import { cellSet } from "./cell-set.ts";
import { exploringRoutes } from "./exploring-routes.ts";
import { streamProgress, whileConnected } from "./stream-progress.ts";
import { openViewerComputing, type ViewerComputing } from "./computing/viewer-computing.ts";
import { openViewedCopies } from "./computing/viewed-copies.ts";
import { openViewerFiles, type ViewedResults, type ViewerFiles } from "./viewer-files.ts";
import { removeView, saveView, viewsOf } from "./views.ts";

const TYPES: Record<string, string> = {
  ".json": "application/json",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};

interface ViewParts {
  clock: Clock;
  database: Database;
  projects: Projects;
  outputs: Outputs;
  scratch: Scratch;
  shares: Shares;
}

export function visualizationRoutes(mount: Mount, parts: ViewParts, app: FastifyInstance): void {
  const { outputs, projects, shares } = parts;
  const files = openViewerFiles(outputs);
  const computing = openViewerComputing(openViewedCopies(parts, files));
  app.addHook("onClose", () => computing[Symbol.asyncDispose]());
  exploringRoutes(mount, { files, computing });

  mount(routes.visualizationManifest, async ({ results: link }) => {
    const { projectId, readOnly, mayTake, expiresAt } = link;
    if (link.unopenedShare) await shares.opened(link.unopenedShare);
    const verdict = (await storedStatistics(outputs, projectId))?.verdict;
    const { name, options, analyzedAt } = await projects.described(projectId);
    // Before the manifest: a page with newer cells than it says is told so, the other way round it would not be.
    const results = await files.results(projectId);
    const body = {
      project_id: projectId,
      project_name: name,
      analysis: {
        platform: platformById(options.platform).label,
        staining: options.staining,
        analysis_type: options.analysis_type,
        resolution: cleanOptions(options).resolution ?? null,
      },
      analyzed_at: analyzedAt?.toISOString() ?? null,
      read_only: readOnly,
      may_export: mayTake,
      expires_at: expiresAt.toISOString(),
      ...(verdict && { verdict }),
      results: results.stamp,
      manifest: await files.manifest(projectId),
    };
    // Have the data for genes ready by the time the user asks for one.
    computing.warm(results);
    return { status: 200, body };
  });

  mount(routes.visualizationFile, async ({ results: { projectId }, request }) => {
    const path = (request.params as { "*": string })["*"];
    const type = TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
    if (routes.RESULTS_HEADER in request.headers) await files.results(projectId, request);
    const file = await outputs.find(projectId, `${VIEWER_FOLDER}/${path}`);
    if (!file) throw new ApiError("not_found", "This view has no such file.");
    return fileAnswer(outputs, file, type, request);
  });

  numberRoutes(mount, files, computing);
  groupRoutes(mount, files, computing);

  mount(routes.visualizationStatistics, async ({ results: link, request }) => {
    const { projectId } = await files.results(link.projectId, request);
    const [markers, spatial] = await Promise.all([
      outputs.json(projectId, fieldPath("sample/markers")),
      outputs.json(projectId, fieldPath("sample/spatial_statistics")),
    ]);
    return ok({ markers: markers as MarkerTable[], spatial: spatial as SpatialStatistics | null });
  });
  savedViewRoutes(mount, parts);
  shareRoutes(mount, parts);
}

function savedViewRoutes(mount: Mount, parts: ViewParts): void {
  const { database, projects } = parts;
  mount(routes.visualizationViews, ({ results }) => ok(viewsOf(database.db, results.projectId)));

  mount(
    routes.saveView,
    async ({ session, params, body }) => {
      const { id } = await projects.owned(session.userId, params.id);
      return { status: 201, body: await saveView(parts, id, body.name, body.state) };
    },
    {
      explain: () =>
        new ApiError("invalid_request", "A saved view needs a name and a state (a JSON object)."),
    },
  );

  mount(routes.deleteView, async ({ session, params }) => {
    const { id } = await projects.owned(session.userId, params.id);
    await removeView(database.db, id, params.view);
    return ok({ message: "View deleted." });
  });
}

/** The owner's share links of a project. */
function shareRoutes(mount: Mount, { projects, shares }: ViewParts): void {
  mount(routes.listShares, async ({ session, params }) => {
    const { id } = await projects.owned(session.userId, params.id);
    return ok(shares.list({ kind: "project", id }));
  });

  mount(
    routes.createShare,
    async ({ results, body }) => ({
      status: 201,
      body: await shares.create({ kind: "project", ...results }, body.days, body.note),
    }),
    {
      explain: ([issue]) =>
        issue?.path[0] === "days"
          ? new ApiError(
              "invalid_request",
              "A share link works for 1, 7 or 30 days: set days to one of these.",
            )
          : undefined,
    },
  );

  mount(routes.revokeShare, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    await shares.revoke({ kind: "project", ...project }, params.share);
    return ok({ message: "Share link revoked." });
  });
}

function numberRoutes(mount: Mount, files: ViewerFiles, computing: ViewerComputing): void {
  mount(routes.visualizationGene, async ({ results: link, query, request }) => {
    const results = await files.results(link.projectId, request);
    const { name, layer } = query;
    const task = { kind: "gene", name, layer, packed: query.packed === "1" } as const;
    return numbers(results, request, (signal) => computing.quick(results, task, signal));
  });

  mount(routes.visualizationSpotGene, async ({ results: link, query: { name }, request }) => {
    const results = await files.results(link.projectId, request);
    const task = { kind: "spotGene", name } as const;
    return numbers(results, request, (signal) => computing.quick(results, task, signal));
  });

  mount(routes.visualizationScore, async ({ results: link, query, request }) => {
    const task = { kind: "score", genes: geneList(query.genes), layer: query.layer } as const;
    const results = await files.results(link.projectId, request);
    return numbers(results, request, (signal) => computing.slow(results, task, signal));
  });
}

function groupRoutes(mount: Mount, files: ViewerFiles, computing: ViewerComputing): void {
  const comparison = (body: { a: string; b: string | null }) => ({
    kind: "compare" as const,
    a: cellSet("first", body.a),
    b: body.b === null ? null : cellSet("second", body.b),
  });

  mount(routes.visualizationDifferential, async ({ results: link, body, request }) => {
    const task = comparison(body);
    const results = await files.results(link.projectId, request);
    return ok(whileConnected(request, (signal) => computing.slow(results, task, signal)));
  });

  mount(routes.visualizationDifferentialProgress, async ({ results: link, body, request }) => {
    const task = comparison(body);
    const results = await files.results(link.projectId, request);
    return streamProgress(
      request,
      (signal, progress) => computing.slow(results, task, signal, progress),
      (table): routes.DifferentialLine => ({ table }),
    );
  });

  mount(routes.visualizationGroupMeans, async ({ results: link, body, request }) => {
    const { genes, layer, by } = body;
    const within = body.within === null ? null : cellSet("given", body.within);
    const results = await files.results(link.projectId, request);
    const task = { kind: "means", genes, layer, by, within } as const;
    return ok(whileConnected(request, (signal) => computing.quick(results, task, signal)));
  });
}

/** Values that stay the same until the results are recomputed; browsers that have them get a 304. */
async function numbers(
  { stamp }: ViewedResults,
  request: FastifyRequest,
  compute: (signal: AbortSignal) => Promise<Float32Array | Uint16Array>,
): Promise<FileAnswer> {
  const headers = {
    etag: `"${stamp}"`,
    "cache-control": "private, no-cache",
    "content-type": "application/octet-stream",
  };
  if (matchesEtag(request, headers.etag)) {
    return { status: 304, headers, body: null };
  }
  const values = await whileConnected(request, compute);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { status: 200, headers: { ...headers, "content-length": bytes.length }, body: bytes };
}

function geneList(text: string): string[] {
  const named = genesOf(text);
  if (named.length === 0) {
    throw new ApiError("invalid_request", "Name at least one gene for the score.");
  }
  if (named.length > routes.MAX_SCORE_GENES) {
    throw new ApiError(
      "invalid_request",
      `A score can have at most ${routes.MAX_SCORE_GENES} genes, not ${named.length}.`,
    );
  }
  return named;
}
