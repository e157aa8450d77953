import type { PlatformId, Resolution } from "@stipple/contract";
import type { SampleFiles } from "./sample-files.ts";
import type { Sample } from "./sample.ts";

/**
 * How a platform's files are read, once they are recognized; the contract's entry with the same id describes the
 * platform.
 */
export interface PlatformReader {
  id: PlatformId;
  /**
   * Opens a sample. Throws InputError for files that are damaged, from another platform, or from different
   * samples.
   */
  open(files: SampleFiles, options: { resolution?: Resolution | undefined }): Promise<Sample>;
}
