import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openLogFile } from "./log-file.ts";

it("rotates full files, keeps a few readable only by their owner, and continues after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-logs-"));
  const line = `${"x".repeat(99)}\n`;
  const write = async (lines: number): Promise<void> => {
    const log = openLogFile(join(folder, "api.log"), { megabytes: 1, kept: 2 });
    for (let n = 0; n < lines; n += 1000) {
      if (!log.write(line.repeat(1000))) await once(log, "drain");
    }
    log.end();
    await once(log, "finish");
  };
  await write(45_000);
  await write(1000);
  const files = (await readdir(folder)).toSorted();
  expect(files).toEqual(["api.log", "api.log.1", "api.log.2"]);
  for (const name of files) {
    const { size, mode } = await stat(join(folder, name));
    expect(size).toBeLessThan(1.3 * 1024 ** 2);
    expect(mode & 0o077).toBe(0);
  }
  expect((await readFile(join(folder, "api.log"), "utf8")).endsWith(line)).toBe(true);
});

it.runIf(existsSync("/dev/full"))(
  "accepts a service's output while the disk is full, and resumes writing afterward",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-logs-"));
    const path = join(folder, "api.log");
    await symlink("/dev/full", path);
    // Piped like a service's output; more than a pipe buffer holds would block the service.
    const output = new PassThrough();
    const log = openLogFile(path, { megabytes: 1, kept: 2 });
    output.pipe(log);
    for (let n = 0; n < 30; n++) {
      if (!output.write("lost\n".repeat(10_000))) await once(output, "drain");
    }
    await rm(path);
    await sleep(1_200);
    output.end("kept\n");
    await once(log, "finish");
    expect(await readFile(path, "utf8")).toBe("kept\n");
  },
);
