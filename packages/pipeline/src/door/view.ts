/** What the interactive view reads and computes. */
export * from "../viewed-files.ts";
export * from "../viewer-data.ts";
