import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import { analysisSettings } from "@stipple/pipeline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkRoom, roomRefusal } from "./check-room.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-room-"));
  await simulateTissue({ out: join(folder, "outs"), sizeUm: 300, nGenes: 200, seed: 2 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("accepts a small sample, and refuses an image whose results would not fit on any disk", async () => {
  const settings = analysisSettings.parse({ platform: "visium" });
  const request = { input: join(folder, "outs"), results: folder, settings };
  await expect(checkRoom(request)).resolves.toBeUndefined();
  // Holes in a sparse file take no space.
  const image = join(folder, "huge.tif");
  await writeFile(image, "");
  await truncate(image, 2 ** 42);
  await expect(checkRoom({ ...request, image })).rejects.toThrow(/This sample needs about .* GB/);
});

it("states required and available space", () => {
  const there = { memoryMb: 8 * 1024, diskMb: 4 * 1024 };
  expect(roomRefusal({ memoryMb: 8 * 1024, diskMb: 4 * 1024 }, there)).toBeUndefined();
  expect(roomRefusal({ memoryMb: 12 * 1024, diskMb: 1 }, there)).toContain(
    "needs about 12.0 GB of memory; this machine has 8.0 GB",
  );
  expect(roomRefusal({ memoryMb: 1, diskMb: 6 * 1024 }, there)).toContain(
    "needs about 6.0 GB of disk space; the disk of the --out folder has 4.0 GB free",
  );
});
