import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { machineName } from "../src/machine.ts";
import { claimScratch } from "../src/outputs/scratch.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stipple-scratch-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));

/** The scratch folder of an exited process, with copies in it. */
async function leftOver(name: string): Promise<string> {
  const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(ended, "exit");
  const folder = join(dataDir, "scratch", name);
  await mkdir(join(folder, "run", "step-2"), { recursive: true });
  for (let i = 0; i < 40; i++) await writeFile(join(folder, "run", "step-2", `${i}.bin`), "copy");
  const owner = { machine: machineName(), pid: ended.pid };
  await writeFile(join(folder, "owner.json"), JSON.stringify(owner));
  return folder;
}

it("removes folders of exited processes, even concurrently with others", async () => {
  const folders = [await leftOver("one"), await leftOver("two")];
  const claims = await Promise.all([1, 2, 3].map(() => claimScratch(dataDir)));
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  expect(claims.map(({ folder }) => existsSync(folder))).toEqual([true, true, true]);
  for (const claim of claims) await claim[Symbol.asyncDispose]();
  expect(claims.filter(({ folder }) => existsSync(folder))).toEqual([]);
});

it("stays claimed while a step of an exited process is still writing", async () => {
  const folder = await leftOver("written");
  const busy = join(folder, "run", "step-2");
  // The folder may be removed between the two calls.
  const script = `const fs = require("fs"); for (let i = 0; ; i++) {
    fs.mkdirSync(${JSON.stringify(busy)}, { recursive: true });
    try { fs.writeFileSync(${JSON.stringify(busy)} + "/" + i, ""); } catch {}
    if (i === 0) process.stdout.write("writing");
  }`;
  const writer = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(writer, "exit");
  try {
    await once(writer.stdout, "data");
    await using claim = await claimScratch(dataDir);
    expect(existsSync(claim.folder)).toBe(true);
  } finally {
    writer.kill("SIGKILL");
    await exited;
  }
});
