import { leanDrawing } from "@stipple/viewer/vite";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { CHUNKS } from "./chunks.ts";
import { dropSummaries } from "./drop-summaries.ts";
import { guide } from "./guide.ts";
import { preloadFont } from "./preload-font.ts";

export default defineConfig({
  plugins: [react(), tailwindcss(), leanDrawing(), guide(), preloadFont(), dropSummaries()],
  resolve: {
    alias: [
      // The shim is for React before 18; ours brings the hook itself.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" },
    ],
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Only files from our own origin: the server's Content-Security-Policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    target: "es2022",
    // Browsers that know no module preloading load the same files a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { "/api": process.env["STIPPLE_API"] ?? "http://localhost:3000" } },
});
