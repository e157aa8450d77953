import { hash } from "node:crypto";
import { RESULTS_HEADER, viewerManifest, type ViewerManifest } from "@stipple/contract";
import { VIEWER_FOLDER, VIEWER_STEP } from "@stipple/pipeline/view";
import { ApiError } from "../http/api-error.ts";
import type { Outputs, StepRecord } from "../outputs/read.ts";

/** The results of a project in one state. */
export interface ViewedResults {
  projectId: string;
  /** Identifies these results; changes when a run produces others. */
  stamp: string;
}

export interface ViewerFiles {
  /** What step 6 wrote. Throws results_not_ready, or results_outdated for what another version wrote. */
  manifest(projectId: string): Promise<ViewerManifest>;
  /**
   * The results to compute from; throws the same, and results_changed if the request is of a page with others. Reads the
   * manifest only when it has changed.
   */
  results(
    projectId: string,
    request?: { headers: Readonly<Record<string, unknown>> },
  ): Promise<ViewedResults>;
}

const VERSION = viewerManifest.shape.version.def.values[0];
const MAX_KNOWN = 1000;

export function openViewerFiles(outputs: Outputs): ViewerFiles {
  /** Results whose manifests were found to be of this version. */
  const known = new Set<string>();

  async function manifest(projectId: string): Promise<ViewerManifest> {
    const found = (await outputs.json(projectId, `${VIEWER_FOLDER}/manifest.json`)) as {
      version?: unknown;
    } | null;
    if (!found) throw new ApiError("results_not_ready");
    if (found.version !== VERSION) throw new ApiError("results_outdated");
    return viewerManifest.parse(found);
  }

  return {
    manifest,
    async results(projectId, request) {
      const steps = await outputs.steps(projectId);
      if (!steps.some(({ step }) => step === VIEWER_STEP)) throw new ApiError("results_not_ready");
      const stamp = stampOf(steps);
      const shown = request?.headers[RESULTS_HEADER];
      if (shown !== undefined && shown !== stamp) throw new ApiError("results_changed");
      if (!known.has(stamp)) {
        await manifest(projectId);
        if (known.size >= MAX_KNOWN) known.clear();
        known.add(stamp);
      }
      return { projectId, stamp };
    },
  };
}

/** Equal for equal contents, even those of different projects. */
function stampOf(steps: readonly StepRecord[]): string {
  const seen = steps
    .filter(({ step }) => step <= VIEWER_STEP)
    .map(({ step, key, fields }) => [step, key, Object.entries(fields).sort()]);
  return hash("sha256", JSON.stringify(seen), "base64url").slice(0, 27);
}
