import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./settings.ts";

const VITE = join(ROOT, "node_modules/vite/bin/vite.js");
const SOURCES = ["apps/web/src", "apps/web/public", "packages/contract/src"];
const FILES = [
  "apps/web/index.html",
  "apps/web/vite.config.ts",
  "apps/web/compress-assets.ts",
  "package-lock.json",
];

async function newestChange(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const times = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs),
  );
  return Math.max(0, ...times);
}

/** Builds the web app unless the build is newer than everything it is made from. Returns whether it was built. */
export async function buildWebApp(): Promise<boolean> {
  const built = join(ROOT, "apps/web/dist/index.html");
  if (existsSync(built)) {
    const since = (await stat(built)).mtimeMs;
    const files = await Promise.all(
      FILES.map(async (file) => (await stat(join(ROOT, file))).mtimeMs),
    );
    const folders = await Promise.all(SOURCES.map((folder) => newestChange(join(ROOT, folder))));
    if (Math.max(...files, ...folders) < since) return false;
  }
  // Built aside and swapped in, because another instance of this checkout may be serving or building too.
  const fresh = join(ROOT, `apps/web/dist-${process.pid}`);
  const child = spawn(
    process.execPath,
    [VITE, "build", "--logLevel", "error", "--outDir", fresh, "--emptyOutDir"],
    {
      cwd: join(ROOT, "apps/web"),
      // The pages are always built for use: React's development form is twice as large.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    throw new Error(`The web app could not be built:\n${complaint.trim()}`);
  }
  const dist = join(ROOT, "apps/web/dist");
  const former = `${fresh}-former`;
  await rename(dist, former).catch(() => undefined);
  await rename(fresh, dist);
  await rm(former, { recursive: true, force: true });
  return true;
}
