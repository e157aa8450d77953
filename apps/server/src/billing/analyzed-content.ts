import { hash } from "node:crypto";
import { platformById, type UploadSlot } from "@stipple/contract";
import type { Db } from "../db/database.ts";

/** What a project's run would analyze, as quotas see it. */
export interface AnalyzedContent {
  /** Identifies the gene counts; null while a file of an early version has no digest. */
  sample: string | null;
  /** Whether everything that is analyzed is the sample dataset's. */
  isSampleDataset: boolean;
}

/** What is in a project's slots now. Inside the transaction that accepts a run nobody can replace it meanwhile. */
export async function analyzedContent(query: Db, projectId: string): Promise<AnalyzedContent> {
  const project = await query
    .selectFrom("projects")
    .select("sample_dataset")
    .where("id", "=", projectId)
    .executeTakeFirst();
  const known = project?.sample_dataset ?? null;
  return {
    sample: await contentOf(query, projectId, ({ holdsCounts }) => holdsCounts === true),
    isSampleDataset: known !== null && known === (await sampleContent(query, projectId)),
  };
}

/** Notes that a project has just been filled with the sample dataset. */
export async function markSampleDataset(query: Db, projectId: string): Promise<void> {
  await query
    .updateTable("projects")
    .set({ sample_dataset: await sampleContent(query, projectId) })
    .where("id", "=", projectId)
    .execute();
}

/** Identifies all of a sample's own files; the analysis options may differ. */
function sampleContent(query: Db, projectId: string): Promise<string | null> {
  return contentOf(query, projectId, ({ isAddition }) => !isAddition);
}

async function contentOf(
  query: Db,
  projectId: string,
  belongs: (slot: UploadSlot) => boolean,
): Promise<string | null> {
  const rows = await query
    .selectFrom("uploads")
    .innerJoin("projects", "projects.id", "uploads.project_id")
    .select(["slot", "digest", "options"])
    .where("project_id", "=", projectId)
    .where("file_name", "is not", null)
    .orderBy("slot")
    .execute();
  const files = rows.filter(({ slot, options }) => {
    const { slots } = platformById(options.platform);
    return slots.some((each) => each.id === slot && belongs(each));
  });
  if (files.length === 0 || files.some(({ digest }) => digest === null)) return null;
  return hash("sha256", JSON.stringify(files.map(({ slot, digest }) => [slot, digest])));
}
