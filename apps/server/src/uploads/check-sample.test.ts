import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import { analysisSettings } from "@stipple/pipeline/settings";
import { expect, it } from "vitest";
import { openLocalFolder } from "../storage/local-folder.ts";
import { faultOfSample, type SampleOrder } from "./check-sample.ts";

it("finds a reference that cannot be used next to files that can", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-check-sample-"));
  const [input, scratch] = [join(folder, "input"), join(folder, "scratch")];
  await mkdir(input);
  await mkdir(scratch);
  const storage = await openLocalFolder(join(folder, "storage"));
  const { files } = await PLATFORM_FIXTURES.visium(input);
  const given: SampleOrder["files"][number][] = [];
  for (const [slot, path] of Object.entries(files)) {
    const name = basename(path);
    await storage.put(`objects/${name}`, await readFile(path));
    given.push({
      slot,
      name,
      fileName: name,
      key: `objects/${name}`,
      size: (await stat(path)).size,
    });
  }
  const order = { settings: analysisSettings.parse({}), scratch, largestCopy: 2 ** 20 };
  expect(await faultOfSample(storage, { ...order, files: given })).toBeNull();
  await storage.put("objects/reference", "no cells");
  const name = "reference.h5ad";
  const reference = { slot: "reference", name, fileName: name, key: "objects/reference", size: 8 };
  expect(await faultOfSample(storage, { ...order, files: [...given, reference] })).toMatch(
    /^The reference reference\.h5ad cannot be read as an h5ad file: /,
  );
  await rm(folder, { recursive: true });
});
