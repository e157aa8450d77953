import { json } from "node:stream/consumers";
import { stepFolder, viewerManifest, type ViewerManifest } from "@stipple/contract";
import { ApiError } from "../http/api-error.ts";
import { resultsKey } from "../storage/project-keys.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import type { ViewedResults } from "./computing/messages.ts";

/** Where step 6 puts what the viewer reads. */
export function viewerKey(projectId: string): string {
  return `${resultsKey(projectId)}/${stepFolder(6)}/viewer`;
}

export interface ViewerFiles {
  /** What step 6 wrote. Throws results_not_ready, or results_outdated for what another version wrote. */
  manifest(projectId: string): Promise<ViewerManifest>;
  /** The results to compute from; throws the same. Reads the manifest only when it has changed. */
  results(projectId: string): Promise<ViewedResults>;
}

const VERSION = viewerManifest.shape.version.def.values[0];
const MOST_KNOWN = 1000;

export function openViewerFiles(storage: Storage): ViewerFiles {
  /** Stamps of manifests that were found to be of this version, by project. */
  const known = new Map<string, string>();

  async function manifest(projectId: string): Promise<ViewerManifest> {
    const stored = await storage
      .get(`${viewerKey(projectId)}/manifest.json`)
      .catch((error: unknown) => {
        if (error instanceof MissingObjectError) throw new ApiError("results_not_ready");
        throw error;
      });
    const found = (await json(stored)) as { version?: unknown };
    if (found.version !== VERSION) throw new ApiError("results_outdated");
    return viewerManifest.parse(found);
  }

  return {
    manifest,
    async results(projectId) {
      const info = await storage.stat(`${viewerKey(projectId)}/manifest.json`);
      if (!info) throw new ApiError("results_not_ready");
      const stamp = `${info.size.toString(36)}-${info.modified.getTime().toString(36)}`;
      if (known.get(projectId) !== stamp) {
        await manifest(projectId);
        if (known.size >= MOST_KNOWN) known.clear();
        known.set(projectId, stamp);
      }
      const { path } = await storage.checkout(resultsKey(projectId));
      return { folder: path, stamp };
    },
  };
}
