import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { closeToOthers, makeFolder } from "./private-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "private-"));
});
afterEach(() => rm(folder, { recursive: true }));
const modeOf = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777;

it("restricts permissions left open by an earlier version, except on the database folder", async () => {
  for (const name of ["files", "logs", "postgres"]) {
    await mkdir(join(folder, name));
    await chmod(join(folder, name), 0o755);
  }
  await writeFile(join(folder, "serve.json"), "{}");
  await chmod(join(folder, "serve.json"), 0o644);
  await closeToOthers(folder);
  expect(await modeOf("files")).toBe(0o700);
  expect(await modeOf("logs")).toBe(0o700);
  expect(await modeOf("postgres")).toBe(0o755);
  expect(await modeOf("serve.json")).toBe(0o600);
});

it.runIf(process.getuid?.() === 0)("lets the database's account pass, not list", async () => {
  await chmod(folder, 0o700);
  await makeFolder(join(folder, "data", "deep"));
  expect(await modeOf("data")).toBe(0o711);
  expect(await modeOf("data", "deep")).toBe(0o711);
  // An existing folder keeps its mode.
  await makeFolder(folder);
  expect(await modeOf()).toBe(0o700);
});
