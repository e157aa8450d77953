import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const FIXTURE = join(import.meta.dirname, "ninth-step");
let copy: string;

/** The code as it would be with a ninth step: one folder, its field, one line. */
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "ninth-step-"));
  for (const part of [
    "packages/contract",
    "packages/pipeline/src",
    "packages/pipeline/package.json",
  ]) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
  }
  const modules = join(copy, "node_modules");
  await mkdir(join(modules, "@stipple"), { recursive: true });
  for (const name of await readdir(join(root, "node_modules"))) {
    if (name !== "@stipple") await symlink(join(root, "node_modules", name), join(modules, name));
  }
  for (const name of await readdir(join(root, "packages"))) {
    const isCopied = ["contract", "pipeline"].includes(name);
    await symlink(join(isCopied ? copy : root, "packages", name), join(modules, "@stipple", name));
  }
  await edit("packages/contract/src/steps.ts", "  { number: 7,", (line) => [
    line,
    '  { number: 8, id: "niche-analysis", name: "Niche Analysis", weight: 5 },',
  ]);
  await edit("packages/pipeline/src/fields.ts", '  "sample/self_test"', (line) => [
    line,
    '  "clusters/size": column<Int32Array>(8),',
  ]);
  await cp(
    join(FIXTURE, "step.ts"),
    join(copy, "packages/pipeline/src/steps/8-niche-analysis/step.ts"),
  );
  await cp(join(FIXTURE, "try-it.ts"), join(copy, "try-it.ts"));
  await writeFile(join(copy, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function edit(
  file: string,
  start: string,
  change: (line: string) => string[],
): Promise<void> {
  const path = join(copy, file);
  const lines = (await readFile(path, "utf8")).split("\n");
  const at = lines.findIndex((line) => line.startsWith(start));
  expect(at).toBeGreaterThan(0);
  lines.splice(at, 1, ...change(lines[at]));
  await writeFile(path, lines.join("\n"));
}

it("includes a ninth step everywhere", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(copy, "try-it.ts")]);
  expect(JSON.parse(stdout)).toMatchObject({
    steps: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    ran: [0, 1, 2, 3, 4, 5, 6, 7],
    sizes: [1, 3, 2],
    replanned: [8],
    anotherTissue: [4, 5, 6, 7, 8],
    percent: [(100 * 100) / 105, 100],
    refusal: "start_step must be a whole number from 0 to 8.",
    statusKeys: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((step) => `step_${step}`),
    form: {
      properties: {
        least: { default: 1, description: "Fewest cells of a cluster that is counted" },
      },
    },
  });
});

it("gives the ninth step its types", async () => {
  await writeFile(
    join(copy, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true, skipLibCheck: true, types: ["node"] },
      files: ["packages/pipeline/src/steps/8-niche-analysis/step.ts"],
    }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", copy]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe("");
});
