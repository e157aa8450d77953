import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fieldPath } from "@stipple/pipeline/results";
import { materialize } from "../outputs/materialize.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";

/** Cells that the last run found in the image by itself. */
export interface FoundCells {
  /** Identifies them. */
  key: string;
  /** Copies them into a results folder for the time of `use`. */
  within<T>(use: (results: string) => Promise<T>): Promise<T>;
}

const FOLDER = "step2_output";
const IS_OUTLINE = /\/(nuclei|cells)\.polygon\./;

/** Null if the project has no nuclei that were found in its image. */
export async function foundCells(
  { outputs, scratch }: { outputs: Outputs; scratch: Scratch },
  projectId: string,
): Promise<FoundCells | null> {
  const report = (await outputs.json(projectId, fieldPath("sample/segmentation"))) as {
    method?: string;
  } | null;
  if (report?.method !== "network") return null;
  const files = (await outputs.below(projectId, [FOLDER])).filter(({ path }) =>
    IS_OUTLINE.test(path),
  );
  return {
    key: files.map(({ sha256 }) => sha256).join(""),
    async within(use) {
      const folder = await mkdtemp(join(scratch.folder, "found-"));
      try {
        await materialize(outputs, files, folder);
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
