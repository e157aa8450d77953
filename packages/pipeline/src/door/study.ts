/** Comparing and combining samples from their finished results. */
export * from "../study/combine/combine-samples.ts";
export * from "../study/combine/combined-study.ts";
export * from "../study/answer-texts.ts";
export * from "../study/compare-samples.ts";
export * from "../study/comparison-page.ts";
export * from "../study/comparison-tables.ts";
export * from "../study/quality.ts";
export * from "../study/space/embed-samples.ts";
export * from "../study/space/open-sample.ts";
export * from "../study/space/space-notes.ts";
export * from "../study/space/space-sample.ts";
export * from "../study/space/write-space.ts";
export * from "../study/study-report.ts";
export * from "../study/study-table.ts";
export * from "../study/sum-sample.ts";
export * from "../study/volcano.ts";
export * from "../study/write-comparison.ts";
