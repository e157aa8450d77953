import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What one step took. */
export interface StepCost {
  step: number;
  wallSeconds: number;
  /** Of the process and all that it started. */
  cpuSeconds: number;
  /** Most resident memory of all of them together, MB. */
  peakMb: number;
  /** Bytes that the step's process read and wrote. */
  readBytes: number;
  writtenBytes: number;
}

const LOOK_MS = 200;
const TICKS = 100;

/** Runs a step in a process of its own and measures it (Linux). */
export async function measureStep(
  step: number,
  { input, results, settings }: { input: string; results: string; settings: object },
): Promise<StepCost> {
  const before = childSeconds();
  const started = performance.now();
  const child = fork(join(import.meta.dirname, "run-step.ts"), [
    input,
    results,
    JSON.stringify(settings),
    String(step),
  ]);
  let moved = { readBytes: 0, writtenBytes: 0 };
  child.on("message", (message) => (moved = message as typeof moved));
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, treeMb(child.pid!))), LOOK_MS);
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`Step ${step} ended with ${code}`);
  const wallSeconds = (performance.now() - started) / 1000;
  return { step, wallSeconds, cpuSeconds: childSeconds() - before, peakMb, ...moved };
}

/** CPU seconds of all children that have ended, and of theirs. */
function childSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** Resident memory of a process and everything below it, MB. */
function treeMb(root: number): number {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]));
      resident.set(Number(name), Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has ended meanwhile.
    }
  }
  let sum = 0;
  for (const pid of parents.keys()) {
    for (let at = pid; at > 1; at = parents.get(at) ?? 0) {
      if (at === root) {
        sum += resident.get(pid)!;
        break;
      }
    }
  }
  return sum;
}
