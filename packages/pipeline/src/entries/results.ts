/** Folders of results: fields, files, manifests. */
export * from "../store/field-store.ts";
export * from "../store/manifest.ts";
export * from "../store/published-files.ts";
export * from "../store/results-folder.ts";
