import { fieldPath } from "@stipple/pipeline/results";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { storedFields, type StoredFields } from "./stored-fields.ts";

/** How the last run came by its cells; undefined before there are any. */
export async function cellMethod(outputs: Outputs, projectId: string): Promise<string | undefined> {
  const report = await outputs.json(projectId, fieldPath("sample/segmentation"));
  return (report as { method?: string } | null)?.method;
}

/** Cells of the last run that outlines can be compared with; null if it had none. */
export async function foundCells(
  parts: { outputs: Outputs; scratch: Scratch },
  projectId: string,
): Promise<StoredFields | null> {
  const method = await cellMethod(parts.outputs, projectId);
  if (method !== "network" && method !== "given") return null;
  const keys = ["nuclei/polygon", "cells/polygon", "sample/segmentation"] as const;
  return storedFields(parts, projectId, keys);
}
