import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const SCRIPT = "drop-unused-platforms.cjs";

it("keeps ONNX Runtime's libraries for this platform and touches nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-platforms-"));
  try {
    const run = () => execFileSync(process.execPath, [join(folder, "scripts", SCRIPT)]);
    await mkdir(join(folder, "scripts"));
    await cp(join(import.meta.dirname, SCRIPT), join(folder, "scripts", SCRIPT));
    // It must not fail where nothing is installed.
    run();
    const library = join(folder, "node_modules/onnxruntime-node");
    for (const part of [
      "aix/ppc64",
      `${process.platform}/ppc64`,
      "win32/arm64",
      `${process.platform}/${process.arch}`,
    ]) {
      await mkdir(join(library, "bin/napi-v6", part), { recursive: true });
      await writeFile(join(library, "bin/napi-v6", part, "library"), "");
    }
    await writeFile(join(library, "package.json"), "{}");
    run();
    const left = await readdir(library, { recursive: true, withFileTypes: true });
    const files = left.filter((one) => one.isFile());
    expect(
      files.map(({ parentPath, name }) => relative(library, join(parentPath, name))).sort(),
    ).toEqual([join("bin/napi-v6", process.platform, process.arch, "library"), "package.json"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
