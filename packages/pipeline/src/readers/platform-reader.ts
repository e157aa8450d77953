import type { PlatformId, Resolution } from "@stipple/contract";
import type { FoundFile } from "./folder.ts";
import type { SampleFiles } from "./sample-files.ts";
import type { Sample } from "./sample.ts";

/** A folder in which to look for a sample. */
export interface FolderSearch {
  /** Absolute path. */
  root: string;
  /** The folder's own name, for messages. */
  shown: string;
  files: readonly FoundFile[];
  /** Microscope image from outside the folder, or to use instead of the one there. */
  image: string | undefined;
  /** Counts of the finest bins from outside the folder, or to use instead of those there. */
  fineBins: string | undefined;
  /** Bin size in µm, if the platform has bins. */
  resolution: Resolution | undefined;
}

/**
 * How a platform's files are recognized and read; the contract's entry with the same id describes the platform.
 */
export interface PlatformReader {
  id: PlatformId;
  /** The evidence that a folder contains this platform's data, as part of a sentence; null if there is none. */
  sniff(files: readonly FoundFile[]): string | null;
  /** Finds a sample's files. Throws an InputError that names what is missing. */
  find(search: FolderSearch): Promise<SampleFiles>;
  /**
   * Opens a sample. Throws InputError for files that are damaged, from another platform, or from different
   * samples.
   */
  open(files: SampleFiles, options: { resolution?: Resolution | undefined }): Promise<Sample>;
}
