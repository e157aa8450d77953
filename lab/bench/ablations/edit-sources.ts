/**
 * Preloaded (NODE_OPTIONS=--import) into a run of the pipeline: takes one rule out of it by editing the source as it is
 * loaded, so that the product has no switches for that.
 */
import { registerHooks } from "node:module";
import { RULES } from "./rules.ts";

const edits = RULES.find(({ name }) => name === process.env.ABLATION)?.edits ?? [];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const own = edits.filter(({ file }) => url.endsWith(`/packages/pipeline/src/${file}`));
    if (own.length === 0) return loaded;
    let source = Buffer.from(loaded.source as Uint8Array).toString("utf8");
    for (const { find, put } of own) {
      if (!source.includes(find)) throw new Error(`${url} does not contain: ${find}`);
      source = source.replace(find, () => put);
    }
    return { ...loaded, source };
  },
});
