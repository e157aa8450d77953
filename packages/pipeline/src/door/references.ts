/** References of labeled cells. */
export * from "../steps/5-cluster-analysis/reference/condense-reference.ts";
export * from "../steps/5-cluster-analysis/reference/reference-outline.ts";
