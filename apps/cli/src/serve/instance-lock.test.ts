import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { assertUnclaimed, claimDataDir } from "./instance-lock.ts";
import { freePort } from "./ports.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "stipple-lock-"));
const URL_HERE = "http://localhost:3000";

it("refuses a folder whose owner is alive, and releases it on request", async () => {
  const dataDir = folder();
  const lock = await claimDataDir(dataDir, URL_HERE);
  const claim = JSON.parse(readFileSync(join(dataDir, "serve.json"), "utf8"));
  // Another live process, with its own start time.
  const other = spawn("sleep", ["60"]);
  try {
    expect(claim.began).toMatch(/ \d+$/);
    const stat = readFileSync(`/proc/${other.pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const began = `${claim.began.split(" ")[0]} ${stat[19]}`;
    writeFileSync(
      join(dataDir, "serve.json"),
      JSON.stringify({ pid: other.pid, began, url: URL_HERE }),
    );
    expect(() => assertUnclaimed(dataDir)).toThrow(/^Stipple is already running on .* at http/);
    await expect(claimDataDir(dataDir, URL_HERE)).rejects.toThrow("already running");
  } finally {
    other.kill();
  }
  await lock.release();
});

it("takes over a stale lock even if its process id now belongs to a program named serve", async () => {
  const dataDir = folder();
  const stranger = spawn("sh", ["-c", "sleep 60; : serve"]);
  try {
    writeFileSync(
      join(dataDir, "serve.json"),
      JSON.stringify({ pid: stranger.pid, began: "an earlier boot 1", url: URL_HERE }),
    );
    const lock = await claimDataDir(dataDir, URL_HERE);
    expect(readFileSync(join(dataDir, "serve.json"), "utf8")).toContain(`${process.pid}`);
    await lock.release();
  } finally {
    stranger.kill();
  }
});

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

function serve(environment: NodeJS.ProcessEnv): Promise<{ code: unknown; says: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, "serve"],
      { env: { ...process.env, ...environment }, timeout: 60_000 },
      (error, _out, stderr) => resolve({ code: error?.code, says: stderr.trim() }),
    );
  });
}

it("leaves nothing behind if its port is taken, and says what blocks its folder", async () => {
  const port = await freePort(undefined, "localhost");
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(port, "localhost", listening));
  const dataDir = join(folder(), "data");
  const refused = await serve({ PORT: `${port}`, STIPPLE_DATA_DIR: dataDir });
  await new Promise((closed) => taken.close(closed));
  expect(refused.says).toMatch(new RegExp(`^Port ${port} is in use by another program`));
  expect(refused.code).toBe(1);
  expect(existsSync(dataDir)).toBe(false);

  const file = join(folder(), "file");
  writeFileSync(file, "");
  const unwritable = await serve({ PORT: `${port}`, STIPPLE_DATA_DIR: join(file, "data") });
  expect(unwritable.says).toMatch(/^The data folder .* cannot be written to \(ENOTDIR\): /);
  const unknown = await serve({ STIPPLE_TREADS: "4", STIPPLE_DATA_DIR: dataDir });
  expect(unknown.says).toMatch(/^STIPPLE_TREADS is not a setting of Stipple: did you mean/);
});
