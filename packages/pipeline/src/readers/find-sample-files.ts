import type { SampleFiles } from "./sample-files.ts";

export interface FindOptions {
  image?: string | undefined;
  platform: "visium" | "hd_visium";
  resolution?: "8" | "16" | undefined;
}

/** Recognises a sample's files. Throws InputError naming what is missing. */
export function findSampleFiles(root: string, _options: FindOptions): Promise<SampleFiles> {
  return Promise.reject(new Error(`being written: ${root}`));
}
