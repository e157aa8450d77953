import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * The scope in which process ids are unique: one boot of one kernel and one pid namespace (containers have their own).
 */
export function machineName(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Whether a process of this machine exists. A pid that another program has since been given counts as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
