import { join } from "node:path";
import { VIEWED_FOLDERS, viewedFiles } from "@stipple/pipeline/view";
import type { Outputs } from "../../outputs/read.ts";
import type { Scratch } from "../../outputs/scratch.ts";
import { ApiError } from "../../http/api-error.ts";
import { openLocalCopies } from "../../outputs/local-copies.ts";
import type { ViewedResults, ViewerFiles } from "../viewer-files.ts";

/** Local copies of the files that the interactive view computes from. */
export interface ViewedCopies {
  /** Calls `work` with a results folder that holds what `openViewer` reads. Throws results_not_ready. */
  using<T>(results: ViewedResults, work: (folder: string) => Promise<T>): Promise<T>;
}

/** Copies beyond this are removed, least recently used first. Hard links to a local storage take no space. */
const MAX_BYTES = 20 * 1024 ** 3;

export function openViewedCopies(
  {
    outputs,
    scratch,
  }: {
    outputs: Outputs;
    scratch: Scratch;
  },
  files: ViewerFiles,
): ViewedCopies {
  const copies = openLocalCopies(outputs, {
    folder: join(scratch.folder, "views"),
    maxBytes: MAX_BYTES,
  });
  return {
    using({ projectId, stamp }, work) {
      const list = async () => {
        const found = await outputs.below(projectId, VIEWED_FOLDERS);
        // A run has since removed or replaced the requested results.
        if ((await files.results(projectId)).stamp !== stamp) {
          throw new ApiError("results_not_ready");
        }
        return viewedFiles(found);
      };
      return copies.using(stamp, list, work);
    },
  };
}
