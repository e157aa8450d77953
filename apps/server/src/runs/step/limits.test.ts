import { fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LimitedProcess, memoryOfTree } from "./limits.ts";

const MB = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), "stipple-limits-"));
/** Allocates typed arrays or WebAssembly memory, which V8's own limit does not cover, or other memory. */
const PROGRAMS = {
  arrays: `const kept = []; process.on("message", () => setInterval(() => kept.length < 60 && kept.push(new Uint8Array(${16 * MB}).fill(1)), 5));`,
  wasm: `process.on("message", () => { const kept = []; setInterval(() => {
    if (kept.length > 60) return;
    const memory = new WebAssembly.Memory({ initial: 256 }); new Uint8Array(memory.buffer).fill(1); kept.push(memory); }, 5); });`,
  heap: `process.on("message", () => { const kept = []; setInterval(() => { for (let i = 0; i < 1e5; i++) kept.push({ i }); }, 1); });`,
  rest: `process.on("message", () => undefined);`,
};

function begin(program: keyof typeof PROGRAMS, heapMb = 4_000): ChildProcess {
  const path = join(folder, `${program}.cjs`);
  writeFileSync(path, PROGRAMS[program]);
  return fork(path, {
    execArgv: [`--max-old-space-size=${heapMb}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

async function endOf(
  child: ChildProcess,
  limits: { memoryMb: number; seconds: number },
  meanwhile?: () => void,
): Promise<string> {
  let stderr = "";
  child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  using limited = new LimitedProcess(child, limits);
  // The child may exit before reading this.
  child.on("error", () => undefined);
  child.send("begin", () => undefined);
  meanwhile?.();
  return await new Promise((resolve) => {
    child.once("close", (_code, signal) => resolve(limited.suddenEnd(signal, stderr)));
  });
}

it.each(["arrays", "wasm"] as const)(
  "kills a process whose %s exceed its memory limit",
  async (program) => {
    expect(await endOf(begin(program), { memoryMb: 300, seconds: 60 })).toBe("memory");
  },
);

it("recognizes V8's own out-of-memory exit", async () => {
  expect(await endOf(begin("heap", 64), { memoryMb: 2_000, seconds: 60 })).toBe("memory");
});

it("kills a process that exceeds its time limit", async () => {
  expect(await endOf(begin("rest"), { memoryMb: 1_000, seconds: 0.3 })).toBe("time");
});

it("does not mistake an external kill or a crash for running out of memory", async () => {
  for (const [signal, why] of [
    ["SIGKILL", "killed"],
    ["SIGTERM", "killed"],
    ["SIGSEGV", "crashed"],
  ] as const) {
    const child = begin("rest");
    const end = await endOf(child, { memoryMb: 1_000, seconds: 60 }, () => {
      setTimeout(() => child.kill(signal), 300);
    });
    expect(end).toBe(why);
  }
});

it("measures a process's memory", async () => {
  const child = begin("arrays");
  child.send("begin");
  await expect.poll(() => memoryOfTree(child.pid ?? 0) / MB).toBeGreaterThan(200);
  child.kill("SIGKILL");
  await expect.poll(() => memoryOfTree(child.pid ?? 0)).toBe(0);
});
