import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import {
  byTissueAndName,
  keptReference,
  type KeptReference,
  type ReferenceDescription,
} from "@stipple/contract/kept-reference";
import { builtInFile, builtInReferences } from "@stipple/pipeline/built-in-references";
import { hashFile } from "@stipple/pipeline/hash-file";
import { assertFileContent, type KnownContent } from "../outputs/content.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";

/**
 * Condensed references that operators and users keep: two objects each, which never change. They are found without a
 * database, so the command line uses them too (`docs/decisions/0114`).
 *
 *     references/<owner>/<SHA-256>.h5ad
 *     references/<owner>/<SHA-256>.json   written last: KeptReference
 */
export const REFERENCES = "references";
/** Owner of references that the operator added: everyone may use them. Others are owned by an account's id. */
export const EVERYONE = "shared";
/** Owner of references that are part of this version: files of the program, which nobody can remove. */
export const BUILT_IN = "built-in";
/** References of one owner. */
export const MAX_KEPT = 100;

export const referencesKey = (owner: string): string => `${REFERENCES}/${owner}`;

/** All references of an owner, by tissue and name. Reads a small object for each. */
export async function listReferences(storage: Storage, owner: string): Promise<KeptReference[]> {
  if (owner === BUILT_IN) return builtInReferences();
  const found: KeptReference[] = [];
  for await (const { key } of storage.list(referencesKey(owner))) {
    if (!key.endsWith(".json")) continue;
    const kept = await described(storage, key);
    if (kept) found.push(kept);
  }
  return found.sort(byTissueAndName);
}

/** Null if it has just been removed, or is damaged or of another version: one of them must not hide the others. */
async function described(storage: Storage, key: string): Promise<KeptReference | null> {
  try {
    const json: unknown = JSON.parse(await text(await storage.get(key)));
    return keptReference.safeParse(json).data ?? null;
  } catch (error) {
    if (error instanceof MissingObjectError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Stores a condensed file. */
export async function storeReference(
  storage: Storage,
  owner: string,
  path: string,
  description: ReferenceDescription,
): Promise<KeptReference> {
  const { size, sha256 } = await hashFile(path);
  const kept = { ...description, sha256, size };
  const key = `${referencesKey(owner)}/${sha256}`;
  await storage.put(`${key}.h5ad`, createReadStream(path));
  await storage.put(`${key}.json`, JSON.stringify(kept));
  return kept;
}

/** All files of all references with what is known of their content, for backups. */
export async function* referenceFiles(
  storage: Storage,
): AsyncGenerator<{ key: string; content: KnownContent }> {
  for await (const { key, size } of storage.list(REFERENCES)) {
    const [, sha256] = /\/([0-9a-f]{64})\.h5ad$/.exec(key) ?? [];
    yield { key, content: sha256 === undefined ? { size } : { size, sha256 } };
  }
}

/** Copies a reference to a local file. Throws a ContentError if it is damaged. */
export async function fetchReference(
  storage: Storage,
  owner: string,
  reference: KeptReference,
  path: string,
): Promise<void> {
  const { sha256, size } = reference;
  if (owner === BUILT_IN) await copyFile(builtInFile(reference), path);
  else await storage.fetchTo(`${referencesKey(owner)}/${sha256}.h5ad`, path);
  await assertFileContent(path, { sha256, size });
}

export async function dropReference(
  storage: Storage,
  owner: string,
  { sha256 }: KeptReference,
): Promise<void> {
  const key = `${referencesKey(owner)}/${sha256}`;
  // First what makes it known.
  await storage.remove([`${key}.json`]);
  await storage.remove([`${key}.h5ad`]);
}
