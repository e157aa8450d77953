import { createHash } from "node:crypto";

/** A file of a step as its manifest lists it. */
export interface ListedFile {
  /** Relative to the results folder. */
  path: string;
  size: number;
  sha256: string;
}

/** One immutable object: a single large file, or several small ones concatenated. */
export interface ObjectPlan {
  /** The digest that identifies the object together with its size. */
  digest: string;
  size: number;
  /** Whole files in the order of their bytes. */
  files: (ListedFile & { offset: number })[];
}

/** Smaller files are packed: thousands of tiles and chunks as their own objects would cost a request each. */
export const SMALL_BYTES = 256 * 1024;
/** How large a pack may become. */
export const PACK_BYTES = 64 * 1024 * 1024;

/**
 * Which objects hold a step's files. It depends on paths, sizes and contents alone: equal outputs make equal objects,
 * whoever publishes them, and an object that is known need not be read.
 */
export function layoutOf(files: readonly ListedFile[]): ObjectPlan[] {
  const ordered = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const plans: ObjectPlan[] = [];
  let pack: ObjectPlan | undefined;
  for (const file of ordered) {
    if (file.size >= SMALL_BYTES) {
      plans.push({ digest: file.sha256, size: file.size, files: [{ ...file, offset: 0 }] });
      continue;
    }
    if (!pack || pack.size + file.size > PACK_BYTES) {
      pack = { digest: "", size: 0, files: [] };
      plans.push(pack);
    }
    pack.files.push({ ...file, offset: pack.size });
    pack.size += file.size;
  }
  for (const plan of plans) if (plan.digest === "") plan.digest = packDigest(plan.files);
  return plans;
}

/** A pack is known by the files in it. The prefix keeps its digest apart from that of any file's content. */
function packDigest(files: readonly ListedFile[]): string {
  const hash = createHash("sha256");
  for (const { size, sha256 } of files) hash.update(`${size}:${sha256}\n`);
  return `pack-${hash.digest("hex")}`;
}
