import { presentable } from "@stipple/pipeline/errors";

/** What is wrong with a study, a sentence for each sample, so that all can be mended at once. */
export class SheetError extends Error {
  override readonly name = "SheetError";

  constructor(faults: readonly string[]) {
    super(faults.map((fault) => presentable(fault)).join("\n"));
  }
}
