import type { Plugin } from "vite";

/** The file with the characters of every page. */
const FONT = /\/inter-latin-wght-normal-[^/]*\.woff2$/;

/**
 * Lets the browser load the font together with the first script, before any text is laid out. Otherwise it asks for the
 * font only when text appears, and lines that wrap differently in the font then move the page.
 */
export function preloadFont(): Plugin {
  return {
    name: "preload-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => FONT.test(name));
        // Pages of single parts are built without it.
        if (file === undefined) return [];
        const attrs = {
          rel: "preload",
          as: "font",
          type: "font/woff2",
          href: `/${file}`,
          crossorigin: true,
        };
        return [{ tag: "link", attrs, injectTo: "head" }];
      },
    },
  };
}
