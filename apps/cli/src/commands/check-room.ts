import { stat } from "node:fs/promises";
import { InputError } from "@stipple/pipeline/errors";
import type { RunRequest } from "@stipple/pipeline";
import { findSampleFiles, inputPaths } from "@stipple/pipeline/samples";
import { freeMb } from "@stipple/server/runs/step/free-disk";
import { memoryMb } from "@stipple/server/machine-memory";
import type { Estimate } from "@stipple/server/db/schema";
import { estimateOf } from "@stipple/server/runs/estimate/estimate";

/** Throws {@link InputError} if a sample is expected to need more memory or disk space than available. */
export async function checkRoom(
  request: Pick<RunRequest, "input" | "image" | "fineBins" | "results" | "settings">,
): Promise<void> {
  const { platform, resolution } = request.settings;
  const { image, fineBins } = request;
  const files = await findSampleFiles(request.input, { platform, resolution, image, fineBins });
  // Counts in the other format are only compared with these.
  const paths = inputPaths({ ...files, otherMatrix: null });
  const inputs = await Promise.all(
    Object.entries(paths).flatMap(([slot, own]) =>
      own.map(async (path) => ({ slot, size: (await stat(path)).size })),
    ),
  );
  const refusal = roomRefusal(estimateOf(inputs), {
    memoryMb: memoryMb(),
    diskMb: await freeMb(request.results),
  });
  if (refusal) throw new InputError(refusal);
}

/** What is missing, with both figures; undefined if the sample fits. */
export function roomRefusal(
  needed: Pick<Estimate, "memoryMb" | "diskMb">,
  there: { memoryMb: number; diskMb: number },
): string | undefined {
  const gb = (mb: number): string => `${(mb / 1024).toFixed(1)} GB`;
  if (needed.memoryMb > there.memoryMb) {
    return `This sample needs about ${gb(needed.memoryMb)} of memory; this machine has ${gb(there.memoryMb)}: use a larger machine, or add --force to try anyway.`;
  }
  const diskMb = needed.diskMb ?? 0;
  if (diskMb > there.diskMb) {
    return `This sample needs about ${gb(diskMb)} of disk space; the disk of the --out folder has ${gb(there.diskMb)} free: choose another folder, free up space, or add --force to try anyway.`;
  }
  return undefined;
}
