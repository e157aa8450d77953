/** Comparing and combining samples from their finished results. */
export { readAnnotations } from "../annotations/read-annotations.ts";
export * from "../regions/read-regions-called.ts";
export * from "../study/combine/combine-samples.ts";
export * from "../study/combine/combined-study.ts";
export * from "../study/answer-texts.ts";
export * from "../study/compare-samples.ts";
export * from "../study/quality.ts";
export * from "../study/shown-comparison.ts";
export * from "../study/space/embed-samples.ts";
export * from "../study/space/open-sample.ts";
export * from "../study/space/space-colors.ts";
export * from "../study/space/space-notes.ts";
export * from "../study/space/space-sample.ts";
export * from "../study/space/write-space.ts";
export * from "../study/study-table.ts";
export * from "../study/sum-sample.ts";
export * from "../study/write-comparison.ts";
export * from "../study/write-study-report.ts";
