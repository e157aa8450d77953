import type { Plugin } from "vite";

/** What a route is for: a text for the documentation of the API. */
const SUMMARY = /^\s*summary:\s*"(?:[^"\\]|\\.)*",$/gm;

/** Leaves the routes' summaries out of the pages, which no page shows. */
export function dropSummaries(): Plugin {
  return {
    name: "drop-summaries",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /\/contract\/src\/routes\/[\w-]+\.ts$/ },
      // Line breaks stay, so that errors name the right lines.
      handler: (code) => code.replace(SUMMARY, (text) => text.replace(/[^\n]/g, "")),
    },
  };
}
