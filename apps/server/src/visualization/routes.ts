import { extname } from "node:path";
import { json } from "node:stream/consumers";
import {
  stepFolder,
  viewerManifest,
  visualizationFile,
  visualizationGene,
  visualizationManifest,
  visualizationSpotGene,
  visualizationStatistics,
  type ViewerManifest,
} from "@stipple/contract";
import {
  readGeneColumn,
  readSpotGene,
  readStatistics,
  UnknownGeneError,
} from "@stipple/pipeline/viewer-data";
import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer, Mount } from "../http/route-adapter.ts";
import { fileAnswer } from "../storage/file-answer.ts";
import { resultsKey } from "../storage/project-keys.ts";
import { isSafePath, MissingObjectError } from "../storage/storage.ts";

/** Where step 6 puts what the viewer reads. */
const VIEWER = `${stepFolder(6)}/viewer`;
const MANIFEST_VERSION = viewerManifest.shape.version.def.values[0];
const TYPES: Record<string, string> = {
  ".json": "application/json",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};

export function visualizationRoutes(mount: Mount, context: Context): void {
  const { storage, projects, visualizationLinks } = context;

  /** The folder of finished results that a link opens, in the form that this version reads. */
  async function open(token: string): Promise<{ results: string; manifest: ViewerManifest }> {
    const { projectId } = await visualizationLinks.verify(token);
    await projects.nameOf(projectId);
    const manifest = await readManifest(projectId);
    const { path } = await storage.checkout(resultsKey(projectId));
    return { results: path, manifest };
  }

  async function readManifest(projectId: string): Promise<ViewerManifest> {
    const stored = await storage
      .get(`${resultsKey(projectId)}/${VIEWER}/manifest.json`)
      .catch((error: unknown) => {
        if (error instanceof MissingObjectError) throw new ApiError("results_not_ready");
        throw error;
      });
    const manifest = (await json(stored)) as { version?: unknown };
    if (manifest.version !== MANIFEST_VERSION) throw new ApiError("results_outdated");
    return viewerManifest.parse(manifest);
  }

  mount(visualizationManifest, async ({ params }) => {
    const { projectId, readOnly, expiresAt } = await visualizationLinks.verify(params.token);
    return {
      status: 200,
      body: {
        project_id: projectId,
        project_name: await projects.nameOf(projectId),
        read_only: readOnly,
        expires_at: expiresAt.toISOString(),
        manifest: await readManifest(projectId),
      },
    };
  });

  mount(visualizationFile, async ({ params, request }) => {
    const { projectId } = await visualizationLinks.verify(params.token);
    const path = (request.params as { "*": string })["*"];
    const type = TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
    const answer = isSafePath(path)
      ? await fileAnswer(storage, `${resultsKey(projectId)}/${VIEWER}/${path}`, type, request)
      : null;
    if (!answer) throw new ApiError("not_found", "There is no such file in this view.");
    return answer;
  });

  mount(visualizationGene, async ({ params, query }) => {
    const { results } = await open(params.token);
    return numbers(await known(readGeneColumn(results, query.name, query.layer)));
  });

  mount(visualizationSpotGene, async ({ params, query }) => {
    const { results } = await open(params.token);
    return numbers(await known(readSpotGene(results, query.name)));
  });

  mount(visualizationStatistics, async ({ params }) => {
    const { results } = await open(params.token);
    return { status: 200, body: await readStatistics(results) };
  });
}

/** Turns the refusals of the readers into the API's. */
async function known<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnknownGeneError) throw new ApiError("not_found", error.message);
    throw error;
  }
}

function numbers(values: Float32Array): FileAnswer {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return {
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      "content-length": bytes.length,
      "cache-control": "private, max-age=300",
    },
    body: bytes,
  };
}
