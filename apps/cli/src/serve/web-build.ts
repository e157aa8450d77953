import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Packing } from "../../../web/compress-assets.ts";
import { ROOT } from "./settings.ts";

const DIST = join(ROOT, "apps/web/dist");
const COMPRESS = join(ROOT, "apps/web/compress-assets.ts");
const VITE = join(ROOT, "node_modules/vite/bin/vite.js");
/** Folders and files that the pages are made from; an image is built with the same. */
export const SOURCES: readonly string[] = [
  "apps/web/src",
  "apps/web/public",
  "packages/contract/src",
  "packages/formats/src",
  "packages/numerics/src",
  "packages/viewer/src",
  "packages/viewer/vite",
  "docs/guide",
];
export const FILES: readonly string[] = [
  "apps/web/index.html",
  "apps/web/vite.config.ts",
  "apps/web/chunks.ts",
  "apps/web/compress-assets.ts",
  "apps/web/guide.ts",
  "apps/web/preload-font.ts",
  // The figures that pages show.
  "docs/accuracy.json",
  "docs/headline.json",
  "docs/measured.json",
  "docs/real.json",
  "package-lock.json",
];

/** Whether the sources are there: a container image contains only the built pages. */
function hasSources(): boolean {
  return existsSync(join(ROOT, "apps/web/index.html"));
}

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
  if (!hasSources()) return false;
  const built = join(DIST, "index.html");
  if (existsSync(built)) {
    const since = (await stat(built)).mtimeMs;
    const files = await Promise.all(
      FILES.map(async (file) => (await stat(join(ROOT, file))).mtimeMs),
    );
    const folders = await Promise.all(SOURCES.map((folder) => newestChange(join(ROOT, folder))));
    if (Math.max(...files, ...folders) < since) return false;
  }
  // Built in a separate folder and swapped in, because another instance of this checkout may be serving or building
  // too.
  const fresh = join(ROOT, `apps/web/dist-${process.pid}`);
  const child = spawn(
    process.execPath,
    [VITE, "build", "--logLevel", "error", "--outDir", fresh, "--emptyOutDir"],
    {
      cwd: join(ROOT, "apps/web"),
      // Pages are always built for production: React's development build is twice as large.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await exitOf(child);
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    throw new Error(`The web app could not be built:\n${stderr.trim()}`);
  }
  await exitOf(compress(fresh, "gz"));
  const former = `${fresh}-former`;
  await rename(DIST, former).catch(() => undefined);
  await rename(fresh, DIST);
  await rm(former, { recursive: true, force: true });
  return true;
}

/**
 * Compresses the built pages with Brotli at the highest level, in a low-priority process; until it is done, they are
 * served slightly larger. Does nothing if they are already compressed. Returns a function that stops it.
 */
export async function compressWebApp(): Promise<() => Promise<void>> {
  if (!hasSources()) return () => Promise.resolve();
  const { unpackedAssets } = await import("../../../web/compress-assets.ts");
  if ((await unpackedAssets(DIST, "br")).length === 0) return () => Promise.resolve();
  const child = compress(DIST, "br");
  try {
    setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system forbids it.
  }
  const exited = exitOf(child);
  return async () => {
    child.kill();
    await exited;
  };
}

function compress(build: string, packing: Packing): ChildProcess {
  return spawn(process.execPath, [COMPRESS, build, packing], { stdio: "ignore" });
}

function exitOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", resolve);
  });
}
