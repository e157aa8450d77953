import type { PlatformId, Resolution } from "@stipple/contract";
import type { FoundFile } from "./folder.ts";
import type { SampleFiles } from "./sample-files.ts";
import type { Sample } from "./sample.ts";

/** A folder to look for a sample in. */
export interface FolderSearch {
  /** Absolute path. */
  root: string;
  /** The folder's own name, for sentences. */
  shown: string;
  files: readonly FoundFile[];
  /** Microscope image that does not lie in the folder, or that is to be preferred to the one there. */
  image: string | undefined;
  /** Counts of the finest bins that do not lie in the folder, or that are to be preferred to those there. */
  fineBins: string | undefined;
  /** Bin size in µm, where the platform has bins. */
  resolution: Resolution | undefined;
}

/** How the files of a platform are recognized and read; the contract's entry of the same id says what it is. */
export interface PlatformReader {
  id: PlatformId;
  /** What in a folder shows that it holds this platform's data, for a sentence; null when nothing does. */
  sniff(files: readonly FoundFile[]): string | null;
  /** Finds a sample's files. Throws InputError naming what is missing. */
  find(search: FolderSearch): Promise<SampleFiles>;
  /** Opens a sample. Throws InputError for files that are damaged, of another platform or of different samples. */
  open(files: SampleFiles, options: { resolution?: Resolution | undefined }): Promise<Sample>;
}
