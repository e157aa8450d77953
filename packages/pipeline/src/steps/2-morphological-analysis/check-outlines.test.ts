import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { packRings } from "@stipple/numerics/rings";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { misplacedOutlines } from "./check-outlines.ts";
import { PURPLE_AND_PINK, writeDiscImage, type Disc } from "./testing/disc-image.ts";

const [WIDTH, HEIGHT] = [700, 560];
let folder = "";
let image: TissueImage;
const nuclei: Disc[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-outlines-"));
  const random = new Random(3);
  while (nuclei.length < 300) {
    const disc = { x: WIDTH * random.uniform(), y: HEIGHT * random.uniform(), radius: 8 };
    if (nuclei.every(({ x, y }) => Math.hypot(x - disc.x, y - disc.y) > 18)) nuclei.push(disc);
  }
  await writeDiscImage(join(folder, "image.png"), WIDTH, HEIGHT, nuclei);
  image = await openTissueImage(join(folder, "image.png"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What is said of outlines where `place` puts them. A pixel of the image is two full-resolution pixels wide. */
function judge(
  place: (disc: Disc) => { x: number; y: number },
  { of = nuclei, radius = 8 } = {},
): Promise<string | null> {
  const corners = Array.from({ length: 12 }, (_, i) => (i * Math.PI) / 6);
  const rings = of.map((disc) => {
    const { x, y } = place(disc);
    return corners.flatMap((at) => [x + radius * Math.cos(at), y + radius * Math.sin(at)]);
  });
  const grid = { widthPx: WIDTH, heightPx: HEIGHT, umPerPx: 0.5, step: 1 };
  const slide = { image, stain: PURPLE_AND_PINK, grid, outlines: packRings(rings) };
  return misplacedOutlines(slide, "cells.geojson", 2, new AbortController().signal);
}

describe("outlines from another program", () => {
  it.each([
    ["nuclei", (disc: Disc) => disc, {}],
    ["nuclei that were outlined a little beside", ({ x, y }: Disc) => ({ x: x + 3, y: y - 3 }), {}],
    ["whole cells", (disc: Disc) => disc, { radius: 18 }],
    ["fibers, whose nuclei lie beside", ({ x, y }: Disc) => ({ x: x + 30, y }), { radius: 32 }],
    ["too few to say", ({ x, y }: Disc) => ({ x: x + 30, y }), { of: nuclei.slice(0, 90) }],
  ])("are accepted: %s", async (_, place, options) => {
    expect(await judge(place, options)).toBeNull();
  });

  it("are reported with the shift that would fit, in full-resolution pixels", async () => {
    const words = await judge(({ x, y }) => ({ x: x + 28, y: y - 6 }));
    const [, dx, dy] = /would fit if moved by \(−(\d+), \+(\d+)\) pixels/.exec(words ?? "") ?? [];
    expect(Math.abs(Number(dx) - 56)).toBeLessThanOrEqual(2);
    expect(Math.abs(Number(dy) - 12)).toBeLessThanOrEqual(2);
    expect(words).toContain("which are 14 µm");
  });

  it.each([
    ["at half scale", ({ x, y }: Disc) => ({ x: x / 2, y: y / 2 })],
    ["mirrored", ({ x, y }: Disc) => ({ x: WIDTH - x, y })],
    ["with x and y exchanged", ({ x, y }: Disc) => ({ x: y, y: x })],
  ])("are reported to fit nowhere: %s", async (_, place) => {
    expect(await judge(place)).toContain("fit the nuclei of the image no better");
  });
});
