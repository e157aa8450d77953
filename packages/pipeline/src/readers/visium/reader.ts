import type { FoundFile } from "../folder.ts";
import type { PlatformReader } from "../platform-reader.ts";
import { findSpaceRangerFiles, isSegmented, positionsAmong } from "../space-ranger/find-files.ts";
import { openSpaceRanger } from "../space-ranger/open-sample.ts";
import { visiumScale } from "./scale.ts";

const outsideBins = (files: readonly FoundFile[]): FoundFile[] =>
  files.filter((file) => !file.folder.includes("binned_outputs"));

/** Space Ranger's outs folder of any version, a parent of it, or a flat folder of its files. */
export const visiumReader: PlatformReader = {
  id: "visium",
  sniff: (files) => positionsAmong(outsideBins(files)),
  find: (search) =>
    findSpaceRangerFiles(search, {
      files: outsideBins(search.files).filter((file) => !isSegmented(file)),
      binned: null,
      formats: ["csv", "parquet"],
    }),
  open: (files) => openSpaceRanger(files, { scale: visiumScale }),
};
