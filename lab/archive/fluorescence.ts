import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openTissueImage } from "@stipple/pipeline/samples";
import { writeChannelPyramid } from "@stipple/pipeline/internal/steps/6-projection-analysis/viewer/channel-pyramid";
import { writeTissuePyramid } from "@stipple/pipeline/internal/steps/6-projection-analysis/viewer/tissue-pyramid";
import { writeSyntheticChannels } from "../bench/viewer/synthetic-channels.ts";

/**
 * Cost of generating the interactive view's files from a large fluorescence image (three channels, 16 bits, tiled
 * BigTIFF): time, peak memory in a dedicated process, and size.
 *
 *   node lab/archive/fluorescence.ts --side 26000 --data FOLDER
 *
 * --data: folder of the image and files. The image is made once (26,000 px: 3 minutes and 2.6 GB) and kept.
 */
const PARTS = {
  tissue: "tissue_files",
  channels: "channels.ome.zarr",
} as const;
const { values } = parseArgs({
  options: {
    side: { type: "string", default: "26000" },
    data: { type: "string", default: resolve(import.meta.dirname, "../../.stipple-bench") },
    // Measures one part in this process; without it, each part gets a separate process.
    part: { type: "string" },
  },
});
const sidePx = Number(values.side);
const folder = resolve(values.data);
const imagePath = join(folder, `fluorescence-${sidePx}.tif`);
const { signal } = new AbortController();

async function makeImage(): Promise<void> {
  if (existsSync(imagePath)) return;
  await mkdir(folder, { recursive: true });
  const start = performance.now();
  await writeSyntheticChannels(`${imagePath}.partial`, sidePx);
  await rename(`${imagePath}.partial`, imagePath);
  console.log(`image: ${seconds(start)}, ${gigabytes((await stat(imagePath)).size)}`);
}

async function measure(part: keyof typeof PARTS): Promise<void> {
  const out = join(folder, `fluorescence-${sidePx}-${part}`);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const image = await openTissueImage(imagePath);
  const start = performance.now();
  if (part === "tissue") await writeTissuePyramid(out, image, image, signal);
  else await writeChannelPyramid(out, image, 0.25, signal);
  const time = seconds(start);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = ((userCPUTime + systemCPUTime) / 1e6).toFixed(0);
  const { files, bytes } = await sizeOf(join(out, PARTS[part]));
  console.log(
    `${part}: ${time} (${cpu} s CPU), peak ${Math.round(maxRSS / 1024)} MB, ${files} files, ${gigabytes(bytes)}`,
  );
  await rm(out, { recursive: true });
}

async function sizeOf(root: string): Promise<{ files: number; bytes: number }> {
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return { files, bytes };
}

const seconds = (start: number): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;

if (values.part) await measure(values.part as keyof typeof PARTS);
else {
  await makeImage();
  for (const part of Object.keys(PARTS)) {
    const flags = ["--side", values.side, "--data", folder, "--part", part];
    execFileSync(process.execPath, [import.meta.filename, ...flags], { stdio: "inherit" });
  }
}
