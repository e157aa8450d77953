import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { platformById, type PlatformId, type Resolution } from "@stipple/contract";
import { InputError } from "../errors.ts";
import { listedFile, listFolder, type ListedFile } from "./folder.ts";
import { allReaders, readerOf } from "./registry.ts";
import type { SampleFiles } from "./sample-files.ts";

export interface FindOptions {
  /** Microscope image from outside the folder, or to use instead of the one there. */
  image?: string | undefined;
  /** Counts of the finest bins (H5), if the platform has them; works like the image. */
  fineBins?: string | undefined;
  platform: PlatformId;
  /** Bin size in µm, if the platform has bins; the smallest by default. */
  resolution?: Resolution | undefined;
  /** Contents of the folder, if already known; then the disk is not accessed. */
  listing?: readonly ListedFile[] | undefined;
}

/**
 * Recognizes a sample's files by name. Throws {@link InputError} that names what is missing, or if there are
 * several samples or the data are from another platform.
 */
export async function findSampleFiles(root: string, options: FindOptions): Promise<SampleFiles> {
  const folder = resolve(root);
  const shown = basename(folder);
  if (!options.listing) await assertFolder(root, folder);
  const files = options.listing
    ? options.listing.map((file) => listedFile(folder, file))
    : await listFolder(folder);
  if (files.length === 0) {
    throw new InputError(
      `The folder ${shown} is empty: use the folder that contains the sample's files.`,
    );
  }
  const reader = readerOf(options.platform);
  if (reader.sniff(files) === null) {
    for (const other of allReaders()) {
      const evidence = other.sniff(files);
      if (evidence === null) continue;
      throw new InputError(
        `The folder ${shown} contains ${platformById(other.id).label} data (${evidence}): set the platform to ${inWords(other.id)}.`,
      );
    }
  }
  const { image, fineBins, resolution } = options;
  return reader.find({ root: folder, shown, files, image, fineBins, resolution });
}

/** "HD Visium and a bin size of 8 or 16 µm". */
function inWords(id: PlatformId): string {
  const { label, resolutions } = platformById(id);
  return resolutions.length === 0
    ? label
    : `${label} and a bin size of ${resolutions.join(" or ")} µm`;
}

/** Throws {@link InputError} if it is not a folder. */
async function assertFolder(root: string, folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => null,
  );
  if (isFolder === null) {
    throw new InputError(`The folder ${root} does not exist: check its path.`);
  }
  if (!isFolder) {
    throw new InputError(
      `${root} is a file: use the folder that contains it and the sample's other files.`,
    );
  }
}
