import { stepFolder } from "@stipple/contract";
import { FIELDS, type FieldKey } from "@stipple/pipeline/fields";
import { fieldFiles, fieldPath } from "@stipple/pipeline/results";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import { materialize } from "../outputs/materialize.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";

/** What a run has left of some fields. */
export interface StoredFields {
  /** Identifies their content. */
  key: string;
  /** Copies them into a results folder for the time of `use`. */
  within<T>(use: (results: string) => Promise<T>): Promise<T>;
}

/** Null if one of the fields is missing; those that are files may have none. */
export async function storedFields(
  { outputs, scratch }: { outputs: Outputs; scratch: Scratch },
  projectId: string,
  keys: readonly FieldKey[],
): Promise<StoredFields | null> {
  const folders = new Set(keys.map((key) => stepFolder(FIELDS[key].step)));
  const all = await outputs.below(projectId, [...folders]);
  const found = keys.map((key) => ({ key, files: fieldFiles(key, all) }));
  if (found.some(({ key, files }) => files.length === 0 && FIELDS[key].kind !== "files"))
    return null;
  const files = found.flatMap((field) => field.files);
  return {
    key: files.map(({ sha256 }) => sha256).join(""),
    within: (use) =>
      withTemporaryFolder(scratch.folder, async (folder) => {
        await materialize(outputs, files, folder);
        return use(folder);
      }),
  };
}

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
