import type { Db } from "../db/database.ts";
import type { KnownContent } from "./content.ts";

/** What the rows that hold an object know of its content; of an object of an early version, perhaps only the size. */
export async function knownContent(
  db: Db,
  { id, size, digest }: { id: string; size: number; digest: string | null },
): Promise<KnownContent> {
  const files = await db
    .selectFrom("step_files")
    .select(["offset", "size", "sha256"])
    .distinct()
    .where("object_id", "=", id)
    .execute();
  const [ofStudy] = await db
    .selectFrom("study_finding_files")
    .select("sha256")
    .where("object_id", "=", id)
    .limit(1)
    .execute();
  if (ofStudy?.sha256) return { size, sha256: ofStudy.sha256 };
  const ranges = files.map(({ offset, size, sha256 }) => ({
    offset: Number(offset),
    size: Number(size),
    sha256,
  }));
  if (ranges.length > 0 || digest === null) return { size, ranges };
  const upload = await db
    .selectFrom("uploads")
    .select("slot")
    .where("object_id", "=", id)
    .executeTakeFirst();
  return upload ? { size, chunks: digest } : { size };
}

/** Whether more than the size is known. */
export function isKnown({ sha256, chunks, ranges = [] }: KnownContent): boolean {
  return sha256 !== undefined || chunks !== undefined || ranges.length > 0;
}
