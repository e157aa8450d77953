import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import { laterPort } from "../../apps/server/test/later-port.ts";
import { ROOT } from "../platform.ts";

export interface BuiltPage {
  url: string;
  close(): Promise<void>;
}

/** Builds a folder with an `index.html` the way the pages are built, and serves it. */
export async function builtPage(root: string): Promise<BuiltPage> {
  const outDir = await mkdtemp(join(tmpdir(), "stipple-page-"));
  const shared = {
    root,
    configFile: join(ROOT, "apps/web/vite.config.ts"),
    logLevel: "error",
  } as const;
  const output = { outDir, emptyOutDir: true, reportCompressedSize: false, minify: false } as const;
  await build({ ...shared, build: output });
  const port = await laterPort("localhost");
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { port, strictPort: true, host: "localhost" },
  });
  return {
    url: server.resolvedUrls!.local[0],
    async close() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
