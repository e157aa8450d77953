import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Instance {
  pid: number;
  /** When the process started: its id may since have been given to another program. */
  began: string | undefined;
  url: string;
}

/** When a process started, in ticks since boot (Linux); undefined if unknown. */
function beginOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The name in parentheses may itself contain spaces and parentheses; the start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function isServing({ pid, began }: Instance): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = beginOf(pid);
  return now === undefined || now === began;
}

const pathIn = (dataDir: string): string => join(dataDir, "serve.json");

/** Throws an Error with a sentence if another process is using the data folder. Creates nothing. */
export function assertUnclaimed(dataDir: string): void {
  let other: Instance;
  try {
    other = JSON.parse(readFileSync(pathIn(dataDir), "utf8")) as Instance;
  } catch {
    // No claim, or one cut short by a crash: the folder is free.
    return;
  }
  if (other.pid !== process.pid && isServing(other)) {
    throw new Error(
      `Stipple is already running on ${dataDir} at ${other.url} (process ${other.pid}): stop it first, or set STIPPLE_DATA_DIR to another folder.`,
    );
  }
}

/** Claims an existing data folder for this process. Throws like {@link assertUnclaimed}. */
export async function claimDataDir(
  dataDir: string,
  url: string,
): Promise<{ release(): Promise<void> }> {
  const path = pathIn(dataDir);
  const claim = JSON.stringify({ pid: process.pid, began: beginOf(process.pid), url });
  for (let isRetry = false; ; isRetry = true) {
    assertUnclaimed(dataDir);
    try {
      // Of two that start at once, one makes the file and the other finds it.
      await writeFile(path, claim, { flag: "wx" });
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || isRetry) throw error;
      await rm(path, { force: true });
    }
  }
}
