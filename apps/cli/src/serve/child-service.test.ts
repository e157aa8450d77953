import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ChildService } from "./child-service.ts";
import { DEFAULT_LOG_FILES } from "./log-file.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-service-"));
afterAll(() => rm(folder, { recursive: true }));

it("stops a service that has exited while another process still holds its output", async () => {
  const entry = join(folder, "entry.mjs");
  const exited = join(folder, "exited");
  await writeFile(
    entry,
    `import { spawn } from "node:child_process";
     import { writeFileSync } from "node:fs";
     const heir = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "inherit", detached: true });
     heir.unref();
     writeFileSync(${JSON.stringify(exited)}, "");
     process.exit(0);`,
  );
  const service = await ChildService.start({
    name: "brief",
    entry,
    environment: { PATH: process.env["PATH"] },
    dataDir: folder,
    logFiles: DEFAULT_LOG_FILES,
    stopTimeoutMs: 500,
  });
  await expect.poll(() => existsSync(exited)).toBe(true);
  // It exits a moment later, but its output stays open for a minute.
  await expect.poll(() => isGone(service.pid)).toBe(true);
  expect(service.pid).toBeDefined();
  const asked = performance.now();
  await service.stop();
  expect(performance.now() - asked).toBeLessThan(30_000);
});

function isGone(pid: number | undefined): boolean {
  try {
    process.kill(pid!, 0);
    return false;
  } catch {
    return true;
  }
}
