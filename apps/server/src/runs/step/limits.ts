import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** What the process of a step may use. */
export interface StepLimits {
  memoryMb: number;
  seconds: number;
}

/** Why a process ended without reporting a reason. */
export type SuddenEnd = "memory" | "time" | "killed" | "crashed";

const POLL_MS = 250;
/** What V8, WebAssembly and the C++ library print when out of memory. */
const OUT_OF_MEMORY =
  /heap out of memory|Allocation failed|allocation failed|could not allocate memory|bad_alloc|Out of memory/;

export function saysOutOfMemory(text: string): boolean {
  return OUT_OF_MEMORY.test(text);
}

/**
 * Holds a step's process to its limits: its time, by a timer; its memory, including typed arrays and WebAssembly, by
 * checking four times a second.
 */
export class LimitedProcess implements Disposable {
  readonly #child: ChildProcess;
  readonly #timer: NodeJS.Timeout;
  readonly #watch: NodeJS.Timeout;
  readonly #killsBefore = systemKills();
  #cause: "memory" | "time" | undefined;

  constructor(child: ChildProcess, limits: StepLimits) {
    this.#child = child;
    const bytes = limits.memoryMb * 1024 ** 2;
    this.#timer = setTimeout(() => this.#end("time"), Math.min(limits.seconds * 1000, 2 ** 31 - 1));
    this.#watch = setInterval(() => {
      if (child.pid !== undefined && memoryOfTree(child.pid) > bytes) this.#end("memory");
    }, POLL_MS);
  }

  /** Why the process ended without an outcome. */
  suddenEnd(signal: NodeJS.Signals | null, stderr: string): SuddenEnd {
    if (this.#cause) return this.#cause;
    if (saysOutOfMemory(stderr)) return "memory";
    // The machine itself ran out of memory; the step volunteers to be killed first.
    if (signal === "SIGKILL" && systemKills() > this.#killsBefore) return "memory";
    const isFromOutside = signal && /^SIG(KILL|TERM|INT|HUP|QUIT)$/.test(signal);
    return isFromOutside ? "killed" : "crashed";
  }

  #end(cause: "memory" | "time"): void {
    this.#cause ??= cause;
    this.#child.kill("SIGKILL");
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
  }
}

/**
 * Memory of a process and its children that is not backed by a file, in bytes (Linux); 0 elsewhere, and once it has
 * exited.
 */
export function memoryOfTree(pid: number): number {
  let bytes = 0;
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    for (const [, kb] of status.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB$/gm)) {
      bytes += Number(kb) * 1024;
    }
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
      for (const child of children.split(" ").filter(Boolean)) bytes += memoryOfTree(Number(child));
    }
  } catch {
    // A thread or the process has ended while we looked.
  }
  return bytes;
}

/** How many processes the kernel has killed since boot because the machine ran out of memory. */
function systemKills(): number {
  try {
    return Number(/^oom_kill (\d+)/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
