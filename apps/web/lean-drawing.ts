import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const DRAWING = /\/node_modules\/@(deck\.gl|luma\.gl|vivjs)\//;
const LOADERS = /^@loaders\.gl\/(core|images)$/;
const WITHOUT_LOADERS = fileURLToPath(
  new URL("src/features/viewer/without-loaders.ts", import.meta.url),
);

interface Rewriting {
  /** Modules it applies to; all of deck.gl and luma.gl by default. */
  of?: RegExp;
  from: RegExp;
  to: string | ((...found: string[]) => string);
}

/**
 * Removes code from deck.gl and luma.gl that the interactive view never runs, a fifth of its script: shaders for
 * WebGPU, the names of WebGL's constants, readers of files, the view of maps and the layer for GeoJSON, with texts and
 * icons, that are shown unless told otherwise, and comments in shaders. e2e/page-audit.test.ts fails if a new version
 * looks different.
 */
export function leanDrawing(): Plugin {
  const constants = webGlConstants();
  const rewritings: Rewriting[] = [
    {
      of: /\/tile-layer\.js$/,
      from: /import \{ GeoJsonLayer \} from ['"]@deck\.gl\/layers['"];/,
      to: "class GeoJsonLayer {}",
    },
    {
      of: /\/lib\/deck\.js$/,
      from: /import MapView from ['"]\.\.\/views\/map-view\.js['"];/,
      to: "class MapView {}",
    },
    // Only a debugger asks for all names.
    {
      from: /import \{ GL as GLEnum \} from ['"]@luma\.gl\/constants['"];/,
      to: "const GLEnum = {};",
    },
    { from: /\bGL\.(\w+)/g, to: (whole, name) => constants.get(name!) ?? whole },
    { from: /\/\* wgsl \*\/\s*`[^`]*`/g, to: "``" },
    { of: /\/modules\/.*-wgsl\.js$|\.wgsl\.js$/, from: /`[^`]*`/g, to: "``" },
    { from: /\/\* glsl \*\/\s*`[^`]*`/g, to: withoutComments },
    { of: /[.-]glsl\.js$/, from: /`[^`]*`/g, to: withoutComments },
  ];
  return {
    name: "lean-drawing",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: LOADERS },
      handler: (_id, importer) =>
        importer?.includes("/@deck.gl/core/") ? WITHOUT_LOADERS : undefined,
    },
    transform: {
      filter: { id: DRAWING },
      handler(code, id) {
        const lean = rewritings
          .filter(({ of }) => !of || of.test(id))
          .reduce((text, { from, to }) => text.replace(from, to as string), code);
        return lean === code ? null : { code: lean, map: null };
      },
    },
  };
}

/** A shader without indentation and lines of comment. */
function withoutComments(shader: string): string {
  return shader
    .replace(/\n[ \t]+/g, "\n")
    .replace(/\n(?:\/\/[^\n`]*\n)+/g, "\n")
    .replace(/\n{2,}/g, "\n");
}

/** The values of WebGL's constants by their names. */
function webGlConstants(): Map<string, string> {
  const file = new URL("webgl-constants.js", import.meta.resolve("@luma.gl/constants"));
  const found = readFileSync(file, "utf8").matchAll(/GLEnum\["(\w+)"\] = (-?\d+)\]/g);
  return new Map([...found].map(([, name, value]) => [name!, value!]));
}
