import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** Modules of deck.gl's that the interactive view never runs: what is imported, from where, and what stands in. */
const UNUSED = [
  // Readers of files: the view's layers get their data as arrays and images.
  { source: /^@loaders\.gl\/(core|images)$/, from: "/@deck.gl/core/", by: "without-loaders" },
  // The default layer of tiles, for GeoJSON with texts and icons.
  { source: /^@deck\.gl\/layers$/, from: "/tile-layer/tile-layer.js", by: "without-geo" },
  // The default view, of a map.
  { source: /\/views\/map-view\.js$/, from: "/lib/deck.js", by: "without-geo" },
];

const standIn = (name: string) => fileURLToPath(new URL(`${name}.ts`, import.meta.url));

/** Leaves these modules out of the built pages; e2e/page-audit.test.ts watches the size. */
export function leanDrawing(): Plugin {
  return {
    name: "lean-drawing",
    apply: "build",
    enforce: "pre",
    // The reader of WebGPU's shaders.
    config: () => ({
      resolve: { alias: [{ find: /^wgsl_reflect$/, replacement: standIn("without-webgpu") }] },
    }),
    resolveId: {
      filter: { id: UNUSED.map(({ source }) => source) },
      handler(id, importer) {
        const found = UNUSED.find(
          ({ source, from }) => source.test(id) && importer?.includes(from),
        );
        return found && standIn(found.by);
      },
    },
  };
}
