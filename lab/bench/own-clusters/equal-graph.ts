import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { leiden } from "@stipple/numerics/graph/leiden";
import { sharedNeighborGraph } from "@stipple/numerics/graph/shared-neighbors";
import type { Matrix } from "@stipple/numerics/matrices";
import { findNeighbors } from "@stipple/numerics/neighbors/find-neighbors";

const RESOLUTIONS = [0.5, 1, 2];

/**
 * One line for each resolution: how well our clusters of the points agree with those that scanpy finds in the very same
 * graph, and scanpy's with its own from another seed.
 */
export async function agreementOnEqualGraph(
  points: Matrix<Float32Array>,
  folder: string,
  python: string,
): Promise<string> {
  const graph = sharedNeighborGraph(await findNeighbors(points, 15));
  await writeFile(join(folder, "starts.u32"), graph.starts);
  await writeFile(join(folder, "targets.u32"), graph.targets);
  await writeFile(join(folder, "weights.f32"), graph.weights);
  const ours = RESOLUTIONS.map((resolution) => {
    const began = process.cpuUsage();
    const labels = leiden(graph, resolution);
    const { user, system } = process.cpuUsage(began);
    return { resolution, labels, seconds: (user + system) / 1e6 };
  });
  for (const { resolution, labels } of ours) {
    await writeFile(join(folder, `ours-${resolution}.i32`), labels);
  }
  const script = join(import.meta.dirname, "scanpy-leiden.py");
  const lines = execFileSync(python, [script, folder, ...RESOLUTIONS.map(String)], {
    encoding: "utf8",
  });
  const times = ours.map(({ seconds }) => seconds.toFixed(2)).join(", ");
  return `${lines.trimEnd()}\n  Leiden alone, ours: ${times} s of processor time`;
}
