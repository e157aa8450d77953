import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A control group of Linux with one process and its children, whose memory the kernel limits. */
export interface ControlGroup {
  /** Whether the kernel has ended a process for its memory. */
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

/** Groups of version 2 and, where those cannot limit memory, of version 1, with the group that we are in. */
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
    // A group of version 2 that holds processes gives its children no memory limit; the one above it may.
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
        // The kernel makes this file with the group; without it the folder is none, or may not limit memory.
        if (!existsSync(join(group, limit))) throw new Error("no memory limit here");
        writeFileSync(join(group, limit), `${Math.floor(bytes)}`);
        // Without this the kernel would swap in the place of ending the process, where there is swap.
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
    // Swap that cannot be limited makes a step slow before it ends; no more.
  }
}

function remove(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Never made, or a process of it is still ending: the kernel keeps an empty group, which costs nothing.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
