import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import { CancelledError } from "../../errors.ts";
import { isSimpleRing } from "@stipple/numerics/simplify-ring";
import { signedArea } from "@stipple/numerics/polygon-shape";
import { PURPLE_AND_PINK, scatteredDiscs, writeDiscImage } from "./testing/disc-image.ts";
import type { NucleusFinder } from "./find-nuclei.ts";
import type { CellSource } from "./space-ranger-cells.ts";
import { networkOptions } from "./network-options.ts";
import { EVERYWHERE, nearTissue } from "./near-tissue.ts";
import { NETWORK_WEIGHTS } from "../../nuclei/nucleus-network.ts";
import { segmentImage, type SegmentedImage } from "./segment-image.ts";
import { workingGrid } from "./tile-plan.ts";

const WIDTH = 700;
const HEIGHT = 420;
const discs = scatteredDiscs(WIDTH, HEIGHT, 44);
let folder = "";
let path = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-discs-"));
  path = join(folder, "discs.png");
  await writeDiscImage(path, WIDTH, HEIGHT, discs);
});
afterAll(() => rm(folder, { recursive: true }));

const FINDER: NucleusFinder = {
  method: "network",
  weights: NETWORK_WEIGHTS,
  brightness: { low: 0, high: 1 },
  options: networkOptions.parse({}),
};

async function segment(
  tilePx: number,
  threads: number,
  signal = new AbortController().signal,
  near = EVERYWHERE,
  finder: CellSource = FINDER,
): Promise<SegmentedImage> {
  await using tasks = openTasks({ threads });
  return await segmentImage({
    path,
    stain: PURPLE_AND_PINK,
    grid: workingGrid({ widthPx: WIDTH, heightPx: HEIGHT, micronsPerPixel: 0.5 }, 0.5),
    finder,
    maxExpansionUm: 6,
    tilePx,
    tasks,
    near,
    signal,
    progress: () => undefined,
  });
}

describe("segmentImage", () => {
  let one: SegmentedImage;
  beforeAll(async () => {
    one = await segment(1024, 1);
  });

  it("finds every disc once, including touching pairs", () => {
    const found = one;
    expect(found.count).toBe(discs.length);
    for (const disc of discs) {
      let nearest = Infinity;
      let area = 0;
      for (let i = 0; i < found.count; i++) {
        const d = Math.hypot(found.centroid[2 * i] - disc.x, found.centroid[2 * i + 1] - disc.y);
        if (d >= nearest) continue;
        nearest = d;
        area = found.nucleusAreaUm2[i];
      }
      expect(nearest).toBeLessThan(1.5);
      expect(area / (Math.PI * disc.radius ** 2 * 0.25)).toBeGreaterThan(0.75);
      expect(area / (Math.PI * disc.radius ** 2 * 0.25)).toBeLessThan(1.3);
    }
  });

  it("gives the same result for every tile size and thread count, even for discs on tile borders", async () => {
    for (const [tilePx, threads] of [
      [256, 2],
      [512, 1],
    ] as const) {
      expect(await segment(tilePx, threads)).toEqual(one);
    }
  });

  it("searches only near the tissue, with the same result there as without a mask", async () => {
    // Tissue in the left third; the other tiles of 256 px are glass.
    const mask = Uint8Array.from({ length: 70 * 42 }, (_, p) => Number(p % 70 < 8));
    const near = nearTissue(mask, 70, 42, 5);
    const some = await segment(256, 1, undefined, near);
    const kept = Array.from({ length: one.count }, (_, i) => i).filter((i) =>
      near.holds(one.centroid[2 * i] / WIDTH, one.centroid[2 * i + 1] / HEIGHT),
    );
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.length).toBeLessThan(one.count);
    expect(some.centroid).toEqual(
      Float32Array.from(kept.flatMap((i) => [...one.centroid.subarray(2 * i, 2 * i + 2)])),
    );
    expect(some.features).toEqual(
      Float32Array.from(
        kept.flatMap((i) => [...one.features.subarray(i * one.nFeatures, (i + 1) * one.nFeatures)]),
      ),
    );
    expect(some.squares).toEqual(one.squares);
  });

  it("draws outlines as simple rings, with each nucleus inside its cell and no overlap between cells", () => {
    const found = one;
    let cells = 0;
    for (let i = 0; i < found.count; i++) {
      const ring = found.cells.xy.subarray(
        2 * found.cells.offsets[i],
        2 * found.cells.offsets[i + 1],
      );
      const nucleus = found.nuclei.xy.subarray(
        2 * found.nuclei.offsets[i],
        2 * found.nuclei.offsets[i + 1],
      );
      expect(isSimpleRing(ring)).toBe(true);
      expect(isSimpleRing(nucleus)).toBe(true);
      expect(Math.abs(signedArea(ring))).toBeGreaterThan(Math.abs(signedArea(nucleus)));
      cells += found.cellAreaUm2[i];
    }
    expect(cells).toBeLessThan(WIDTH * HEIGHT * 0.25);
    expect(found.features.length).toBe(found.count * found.nFeatures);
    expect(found.features.every(Number.isFinite)).toBe(true);
  });

  it("keeps given outlines that are longer than most cells, wherever the tiles meet", async () => {
    const ring = Float32Array.of(50, 200, 600, 200, 600, 220, 50, 220);
    const nuclei = { offsets: Uint32Array.of(0, 4), xy: ring };
    const finder = { method: "given", cells: { nuclei, cells: nuclei } } as const;
    const found = await segment(256, 1, undefined, EVERYWHERE, finder);
    expect([...found.cellAreaUm2]).toEqual([550 * 20 * 0.25]);
  });

  it("stops when canceled", async () => {
    const controller = new AbortController();
    const running = segment(256, 1, controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toBeInstanceOf(CancelledError);
  });
});
