import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  byTissueAndName,
  REFERENCE_NAME,
  referenceNameOf,
  type KeptReference,
} from "@stipple/contract/kept-reference";
import { builtInReferences } from "@stipple/pipeline/built-in-references";
import { InputError } from "@stipple/pipeline/errors";
import { condenseReference, type ReferenceOrder } from "@stipple/pipeline/references";
import { table, type Printed } from "./admin.ts";
import { storageSettings } from "../config.ts";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import { scrubbed } from "../operations/scrub.ts";
import { readSettings } from "../settings/read-settings.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { downloadReference, isUrl, type DownloadOptions } from "../references/download.ts";
import {
  BUILT_IN,
  dropReference,
  EVERYONE,
  fetchReference,
  listReferences,
  MAX_KEPT,
  storeReference,
} from "../references/references.ts";

/** Runs `work` on the storage that the settings name; no database is needed. */
export async function withStorage<T>(
  environment: NodeJS.ProcessEnv,
  work: (storage: Storage, limits: { maxBytes: number }) => Promise<T>,
): Promise<T> {
  const values = readSettings(environment);
  const storage = await openStorage(storageSettings(values));
  try {
    return await work(storage, { maxBytes: values.STIPPLE_MAX_UPLOAD_GB * 1024 ** 3 });
  } finally {
    storage.close();
  }
}

export interface AddOptions extends Omit<ReferenceOrder, "name"> {
  name?: string | undefined;
}

/** `stipple reference add`: condenses a file, or one that is downloaded first, and keeps it for everyone. */
export async function addReference(
  storage: Storage,
  source: string,
  { name: wanted, ...order }: AddOptions,
  options: DownloadOptions,
): Promise<Printed> {
  const fileName = isUrl(source) ? lastOf(source) : source;
  const name = wanted ?? referenceNameOf(fileName);
  if (!REFERENCE_NAME.test(name)) {
    throw new InputError(
      `The name ${name} cannot be used: up to 60 letters, digits, dots, dashes, and underscores, beginning with a letter or digit.`,
    );
  }
  if (await isBuiltIn(name)) {
    throw new InputError(`A reference ${name} is built in: choose another --name.`);
  }
  const kept = await listReferences(storage, EVERYONE);
  if (kept.some((one) => one.name === name)) {
    throw new InputError(
      `A reference ${name} is kept already: choose another --name, or remove it with stipple reference remove ${name}.`,
    );
  }
  if (kept.length >= MAX_KEPT) {
    throw new InputError(`${MAX_KEPT} references are kept already: remove one first.`);
  }
  return withTemporaryFolder(tmpdir(), async (folder) => {
    const file = isUrl(source) ? join(folder, referenceNameOf(fileName) + ".h5ad") : source;
    if (isUrl(source)) await downloadReference(source, file, options);
    else if (!(await stat(file).catch(() => undefined))?.isFile()) {
      throw new InputError(`The reference ${source} does not exist: check the path.`);
    }
    const out = join(folder, "condensed");
    const described = {
      ...order,
      name,
      // Everyone can read it, even in results: a signed URL would let them in.
      source: order.source ?? (isUrl(source) ? scrubbed(source) : undefined),
    };
    const description = await condenseReference(file, out, described, {
      signal: options.signal,
      now: new Date(),
    });
    const added = await storeReference(storage, EVERYONE, out, description);
    return { data: added, lines: [`Kept ${inWords(added)}.`] };
  });
}

/** `stipple reference list`. */
export async function printReferences(storage: Storage): Promise<Printed> {
  const owners = [BUILT_IN, EVERYONE];
  const lists = await Promise.all(owners.map((owner) => listReferences(storage, owner)));
  const all = lists
    .flatMap((list, i) => list.map((one) => ({ ...one, builtIn: owners[i] === BUILT_IN })))
    .sort(byTissueAndName);
  const rows = all.map(({ tissue, name, species, labels, cells, size, builtIn, ...from }) => [
    tissue,
    name,
    species,
    String(labels.length),
    String(cells),
    builtIn ? "built in" : `${Math.ceil(size / 1e3)} kB`,
    from.citation === null ? from.source : `${from.source}; ${from.citation}`,
  ]);
  const head = ["tissue", "name", "species", "labels", "cells", "stored", "source"];
  return { data: all, lines: table(head, rows) };
}

/** `stipple reference remove`. Projects that use it keep their copy. */
export async function removeNamed(storage: Storage, name: string): Promise<Printed> {
  if (await isBuiltIn(name)) {
    throw new InputError(`The reference ${name} is part of this version and cannot be removed.`);
  }
  const kept = await namedReference(storage, name);
  await dropReference(storage, EVERYONE, kept);
  return { data: kept, lines: [`Removed ${name}. Analyses that use it keep their copy.`] };
}

/** Copies a kept reference to a file for an analysis on the command line. */
export async function copyReference(storage: Storage, name: string, path: string): Promise<void> {
  await fetchReference(storage, EVERYONE, await namedReference(storage, name), path);
}

async function namedReference(storage: Storage, name: string): Promise<KeptReference> {
  const kept = await listReferences(storage, EVERYONE);
  const found = kept.find((one) => one.name === name);
  if (found) return found;
  const names = [...kept, ...(await builtInReferences())].map((one) => one.name).join(", ");
  throw new InputError(
    `There is no reference ${name}: choose one of ${names}, or add one with stipple reference add.`,
  );
}

async function isBuiltIn(name: string): Promise<boolean> {
  return (await builtInReferences()).some((one) => one.name === name);
}

function inWords({ name, labels, cells, genes, species, size }: KeptReference): string {
  return `${name}: ${labels.length} labels, ${cells.toLocaleString("en-US")} ${species} cells, ${genes.toLocaleString("en-US")} genes, ${Math.ceil(size / 1e3)} kB`;
}

function lastOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
