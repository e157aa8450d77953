import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Prints the folder of compiled code in this process and in a thread. */
const MAIN = `
import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
const tell = 'console.log(require("node:module").getCompileCacheDir())';
console.log(getCompileCacheDir());
new Worker(tell, { eval: true });
`;

describe("the launcher", () => {
  let folder: string;
  let modules: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "stipple-compiled-")));
    modules = join(folder, "node_modules");
    const cli = join(folder, "apps/cli");
    await cp(resolve(import.meta.dirname, "../bin"), join(cli, "bin"), { recursive: true });
    await mkdir(join(cli, "src"));
    await writeFile(join(cli, "package.json"), '{ "type": "module" }');
    await writeFile(join(cli, "src/main.ts"), MAIN);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const foldersOf = (env: NodeJS.ProcessEnv): string[] => {
    const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
    const program = join(folder, "apps/cli/bin/stipple.cjs");
    const { stdout } = spawnSync(process.execPath, [program], {
      encoding: "utf8",
      env: { ...inherited, ...env },
    });
    return stdout.trim().split("\n");
  };
  const bothIn = (path: string): unknown => Array(2).fill(expect.stringContaining(path));

  it("has Node keep compiled code for itself and its threads", () => {
    expect(foldersOf({})).toEqual(bothIn(join(modules, ".cache/stipple-compiled")));
  });

  it("leaves another folder as it was chosen", () => {
    const own = join(folder, "own");
    expect(foldersOf({ NODE_COMPILE_CACHE: own })).toEqual(bothIn(own));
  });

  it("starts where nothing can be kept", async () => {
    await rm(modules, { recursive: true, force: true });
    await writeFile(modules, "");
    expect(foldersOf({})).toEqual(["undefined", "undefined"]);
  });
});
