import { once } from "node:events";
import { mkdtemp, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLogFile } from "./log-file.ts";

it("puts full files aside, keeps some of them for their owner only, and goes on after a start", async () => {
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
