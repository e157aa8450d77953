import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KERNELS_WASM, openKernels } from "./kernels.ts";

const ROOT = join(import.meta.dirname, "../../../..");

it("kernels.wasm is what its sources build (npm run kernels)", () => {
  const folder = mkdtempSync(join(tmpdir(), "stipple-kernels-"));
  try {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: { kernels: string };
    };
    const [compiler, ...options] = scripts.kernels.split(" ");
    const built = join(folder, "kernels.wasm");
    execFileSync(join(ROOT, "node_modules/.bin", compiler), [...options.slice(0, -1), built], {
      cwd: ROOT,
    });
    expect(readFileSync(KERNELS_WASM).equals(readFileSync(built))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

it("each opening has a memory of its own", () => {
  const [one, other] = [openKernels(), openKernels()];
  new Float64Array(one.reserve(32)).set([1, 2, 3]);
  new Float64Array(other.reserve(32)).set([5, 6, 7]);
  one.call.addDoubles(0, 16, 16, 0);
  expect([...new Float64Array(one.reserve(32), 0, 3)]).toEqual([4, 8, 3]);
  expect([...new Float64Array(other.reserve(32), 0, 3)]).toEqual([5, 6, 7]);
});
