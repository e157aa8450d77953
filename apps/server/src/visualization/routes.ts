import { extname } from "node:path";
import { json } from "node:stream/consumers";
import {
  stepFolder,
  viewerManifest,
  visualizationFile,
  visualizationGene,
  visualizationManifest,
} from "@stipple/contract";
import { readGeneColumn, UnknownGeneError } from "@stipple/pipeline/viewer-data";
import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import { fileAnswer } from "../storage/file-answer.ts";
import { resultsKey } from "../storage/project-keys.ts";
import { isSafePath, MissingObjectError } from "../storage/storage.ts";

/** Where step 6 puts what the viewer reads. */
const VIEWER = `${stepFolder(6)}/viewer`;
const TYPES: Record<string, string> = {
  ".json": "application/json",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};

export function visualizationRoutes(mount: Mount, context: Context): void {
  const { storage, projects, visualizationLinks } = context;

  mount(visualizationManifest, async ({ params }) => {
    const projectId = await visualizationLinks.verify(params.token);
    const name = await projects.nameOf(projectId);
    const stored = await storage
      .get(`${resultsKey(projectId)}/${VIEWER}/manifest.json`)
      .catch((error: unknown) => {
        if (error instanceof MissingObjectError) throw new ApiError("results_not_ready");
        throw error;
      });
    const manifest = viewerManifest.parse(await json(stored));
    return { status: 200, body: { project_name: name, manifest } };
  });

  mount(visualizationFile, async ({ params, request }) => {
    const projectId = await visualizationLinks.verify(params.token);
    const path = (request.params as { "*": string })["*"];
    const type = TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
    const answer = isSafePath(path)
      ? await fileAnswer(storage, `${resultsKey(projectId)}/${VIEWER}/${path}`, type, request)
      : null;
    if (!answer) throw new ApiError("not_found", "There is no such file in this view.");
    return answer;
  });

  mount(visualizationGene, async ({ params, query }) => {
    const projectId = await visualizationLinks.verify(params.token);
    await projects.nameOf(projectId);
    const { path } = await storage.checkout(resultsKey(projectId));
    const column = await readGeneColumn(path, query.name, query.layer).catch((error: unknown) => {
      if (error instanceof UnknownGeneError) throw new ApiError("not_found", error.message);
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        throw new ApiError("results_not_ready");
      }
      throw error;
    });
    const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    return {
      status: 200,
      headers: {
        "content-type": "application/octet-stream",
        "content-length": bytes.length,
        "cache-control": "private, max-age=300",
      },
      body: bytes,
    };
  });
}
