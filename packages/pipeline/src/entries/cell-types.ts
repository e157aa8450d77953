/** Known cell types, their markers, and the confidence of names. */
export * from "../cell-types/confidence.ts";
export * from "../markers/index.ts";
export * from "../markers/mouse-symbols.ts";
