import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSampleFiles } from "@stipple/pipeline/readers/find-sample-files";
import { readPositions } from "@stipple/pipeline/readers/space-ranger/read-positions";
import h5wasm from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTruth } from "./read-truth.ts";
import { simulateTissue, type SimulatedTissue } from "./simulate-tissue.ts";

const SMALL = { sizeUm: 320, umPerPx: 0.8, nGenes: 220, seed: 4, platform: "hd_visium" } as const;

describe("a simulated Visium HD tissue", () => {
  let folder: string;
  let tissue: SimulatedTissue;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-hd-"));
    tissue = await simulateTissue({ ...SMALL, out: folder });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(["8", "16"] as const)(
    "is found as a Space Ranger HD sample with %s µm bins",
    async (resolution) => {
      const files = await findSampleFiles(tissue.outs, { platform: "hd_visium", resolution });
      expect(files.positions.format).toBe("parquet");
      expect(files.image).toBe(tissue.image);
      const { barcode, x, y } = await readPositions(files.positions);
      const side = Math.round(Math.sqrt(barcode.length));
      expect(barcode).toHaveLength(side * side);
      const step = Math.hypot(x[1]! - x[0]!, y[1]! - y[0]!);
      expect(step * SMALL.umPerPx).toBeCloseTo(Number(resolution), 6);
      expect(barcode[0]).toBe(`s_${resolution.padStart(3, "0")}um_00000_00000-1`);
    },
  );

  it("sums four small bins into each large one, in counts and in the truth", async () => {
    await h5wasm.ready;
    const total = (name: string): number => {
      const path = join(folder, "binned_outputs", name, "raw_feature_bc_matrix.h5");
      const file = new h5wasm.File(path, "r");
      const data = file.get("matrix/data") as InstanceType<typeof h5wasm.Dataset>;
      const sum = (data.value as Int32Array).reduce((all, value) => all + value, 0);
      file.close();
      return sum;
    };
    expect(total("square_016um")).toBe(total("square_008um"));
    const known = await readTruth(folder);
    const captured = known.arrays.map(({ capture }) =>
      capture.data.reduce((all, value) => all + value, 0),
    );
    expect(captured).toHaveLength(2);
    expect(captured[0]! / captured[1]!).toBeCloseTo(1, 4);
  });
});
