import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressAssets } from "./compress-assets.ts";

export default defineConfig({
  plugins: [react(), tailwindcss(), compressAssets()],
  // Only files from our own origin: the server's Content-Security-Policy allows neither inline scripts nor data: fonts.
  build: { outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0, target: "es2022" },
  server: { proxy: { "/api": process.env["STIPPLE_API"] ?? "http://localhost:3000" } },
});
