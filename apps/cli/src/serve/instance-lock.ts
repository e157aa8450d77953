import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Instance {
  pid: number;
  url: string;
}

/** Whether the process lives and is one of ours (its number may belong to another program by now). */
function isServing(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve");
  } catch {
    return true;
  }
}

/** Claims a data folder for this process. Throws an Error with a sentence when another one is using it. */
export async function claimDataDir(
  dataDir: string,
  url: string,
): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "serve.json");
  let other: Instance | undefined;
  try {
    other = JSON.parse(readFileSync(path, "utf8")) as Instance;
  } catch {
    // No claim, or one cut short by a crash: the folder is free.
  }
  if (other && other.pid !== process.pid && isServing(other.pid)) {
    throw new Error(
      `Stipple is already running on ${dataDir} at ${other.url} (process ${other.pid}): stop it first, or set STIPPLE_DATA_DIR to another folder.`,
    );
  }
  await writeFile(path, JSON.stringify({ pid: process.pid, url }));
  return { release: () => rm(path, { force: true }) };
}
