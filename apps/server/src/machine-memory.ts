import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** Memory in MB that this process and its children may use together: the machine's, or their control group's limit. */
export function memoryMb(): number {
  const machine = totalmem();
  const limit = Math.min(
    readNumber("/sys/fs/cgroup/memory.max"),
    readNumber("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
  );
  return Math.min(machine, limit) / 1024 ** 2;
}

/** Infinity for "max" and where there is no such file. */
function readNumber(path: string): number {
  try {
    const value = Number(readFileSync(path, "utf8"));
    return value > 0 ? value : Infinity;
  } catch {
    return Infinity;
  }
}
