import { fieldPath } from "@stipple/pipeline/results";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { storedFields, type StoredFields } from "./stored-fields.ts";

/** Cells that the last run found in the image by itself; null if the project has none. */
export async function foundCells(
  parts: { outputs: Outputs; scratch: Scratch },
  projectId: string,
): Promise<StoredFields | null> {
  const report = (await parts.outputs.json(projectId, fieldPath("sample/segmentation"))) as {
    method?: string;
  } | null;
  if (report?.method !== "network") return null;
  return storedFields(parts, projectId, ["nuclei/polygon", "cells/polygon"]);
}
