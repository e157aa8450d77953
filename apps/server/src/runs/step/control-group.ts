import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A control group of Linux with one process and its children, whose memory the kernel limits. */
export interface ControlGroup {
  /** Whether the kernel has killed a process for exceeding its memory. */
  wasExceeded(): boolean;
  /** Removes the group once its processes are gone. */
  remove(): void;
}

interface Version {
  /** Folders in which a group may be made. */
  places: string[];
  limit: string;
  /** File with a line `oom_kill N`. */
  events: string;
}

/** Our own groups: version 2 and, in case it cannot limit memory, version 1. */
function versions(): Version[] {
  const lines = read("/proc/self/cgroup").split("\n");
  const unified = lines.find((line) => line.startsWith("0::"))?.slice(3);
  const memory = lines.find((line) => /^\d+:([^:]*,)?memory(,[^:]*)?:/.test(line));
  const two = unified === undefined ? undefined : join("/sys/fs/cgroup", unified);
  const one =
    memory === undefined
      ? undefined
      : join("/sys/fs/cgroup/memory", memory.split(":").slice(2).join(":"));
  return [
    // A version 2 group that contains processes cannot limit its children's memory; its parent may be able to.
    ...(two ? [{ places: [two, dirname(two)], limit: "memory.max", events: "memory.events" }] : []),
    ...(one
      ? [{ places: [one], limit: "memory.limit_in_bytes", events: "memory.oom_control" }]
      : []),
  ];
}

let made = 0;

/** Puts a process into its own group; undefined if none is available. */
export function limitMemory(pid: number, bytes: number): ControlGroup | undefined {
  for (const { places, limit, events } of versions()) {
    for (const place of places) {
      const group = join(place, `stipple-${process.pid}-${++made}`);
      try {
        if (!place.startsWith("/sys/fs/cgroup/") || !existsSync(place)) continue;
        mkdirSync(group);
        // The kernel creates this file with the group; without it, this is no cgroup, or it cannot limit memory.
        if (!existsSync(join(group, limit))) throw new Error("no memory limit here");
        writeFileSync(join(group, limit), `${Math.floor(bytes)}`);
        // Otherwise, the kernel would swap instead of killing the process, if there is swap.
        for (const swap of ["memory.swap.max", "memory.memsw.limit_in_bytes"]) {
          if (existsSync(join(group, swap))) tryWrite(join(group, swap), swap, bytes);
        }
        writeFileSync(join(group, "cgroup.procs"), `${pid}`);
      } catch {
        remove(group);
        continue;
      }
      return {
        wasExceeded: () => Number(/^oom_kill (\d+)/m.exec(read(join(group, events)))?.[1]) > 0,
        remove: () => remove(group),
      };
    }
  }
  return undefined;
}

function tryWrite(path: string, name: string, bytes: number): void {
  try {
    writeFileSync(path, name === "memory.swap.max" ? "0" : `${Math.floor(bytes)}`);
  } catch {
    // Swap that cannot be limited only makes a step slow before it ends.
  }
}

function remove(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // The group was never created, or one of its processes is still ending: an empty group left behind costs nothing.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
