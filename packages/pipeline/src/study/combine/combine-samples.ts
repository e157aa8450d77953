import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openTasks } from "@stipple/tasks/open-tasks";
import { combineH5ad } from "./combine-h5ad.ts";
import { combineSeurat } from "./combine-seurat.ts";
import { combineSpatialData } from "./combine-spatialdata.ts";
import type { CombinedStudy } from "./combined-study.ts";

export const STUDY_PARTS = ["h5ad", "spatialdata", "seurat"] as const;
export type StudyPart = (typeof STUDY_PARTS)[number];

/** What each part is called in its folder. */
export const STUDY_FILES: Readonly<Record<StudyPart, string>> = {
  h5ad: "study.h5ad",
  spatialdata: "study.zarr",
  seurat: "seurat",
};

/** Writes one of a study's parts into a folder. */
export async function combinePart(
  folder: string,
  part: StudyPart,
  study: CombinedStudy,
  { threads, signal }: { threads: number; signal: AbortSignal },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, STUDY_FILES[part]);
  if (part === "spatialdata") return combineSpatialData(path, study, signal);
  if (part === "seurat") return combineSeurat(path, study, signal);
  await using tasks = openTasks({ threads });
  await combineH5ad(path, study, { signal, tasks });
}
