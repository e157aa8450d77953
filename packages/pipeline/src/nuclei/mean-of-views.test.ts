import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { meanOfViews, VIEW_COUNTS } from "./mean-of-views.ts";
import type { NucleusNetwork } from "./nucleus-network.ts";

const WIDTH = 32;
const HEIGHT = 16;
const random = new Random(1);
const image = {
  data: Float32Array.from({ length: 3 * WIDTH * HEIGHT }, () => random.uniform()),
  width: WIDTH,
  height: HEIGHT,
};

/** Mean of a plane over the four full-resolution pixels of each half-resolution one. */
function halved(data: Float32Array, width: number, height: number, plane: number): Float32Array {
  const at = (x: number, y: number): number => data[plane * width * height + y * width + x];
  return Float32Array.from({ length: (width / 2) * (height / 2) }, (_, i) => {
    const [x, y] = [2 * (i % (width / 2)), 2 * Math.floor(i / (width / 2))];
    return (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4;
  });
}

/**
 * Like a network that treats every orientation alike: its offsets point along the gradient of the first plane, so they
 * turn with the image.
 */
const even: Pick<NucleusNetwork, "run"> = {
  run(data, width, height) {
    const [w, h] = [width / 2, height / 2];
    const light = halved(data, width, height, 0);
    const at = (x: number, y: number): number =>
      light[Math.max(0, Math.min(h - 1, y)) * w + Math.max(0, Math.min(w - 1, x))];
    const each = (value: (x: number, y: number) => number): Float32Array =>
      light.map((_, i) => value(i % w, Math.floor(i / w)));
    return Promise.resolve({
      width: w,
      height: h,
      probability: halved(data, width, height, 1),
      distance: halved(data, width, height, 2),
      offsetX: each((x, y) => at(x + 1, y) - at(x - 1, y)),
      offsetY: each((x, y) => at(x, y + 1) - at(x, y - 1)),
    });
  },
};

it.each(VIEW_COUNTS)(
  "changes nothing in %i views if orientation does not matter",
  async (views) => {
    const one = await even.run(image.data, WIDTH, HEIGHT);
    const mean = await meanOfViews(even, image, views, () => undefined);
    expect([mean.width, mean.height]).toEqual([one.width, one.height]);
    for (const map of ["probability", "distance", "offsetX", "offsetY"] as const) {
      mean[map].forEach((value, i) => expect(value).toBeCloseTo(one[map][i], 5));
    }
  },
);

it("evens out errors that depend on orientation, over different views", async () => {
  const seen = new Set<string>();
  const biased: Pick<NucleusNetwork, "run"> = {
    async run(data, width, height) {
      seen.add(data.join());
      const maps = await even.run(data, width, height);
      return { ...maps, offsetX: maps.offsetX.map((x) => x + 1) };
    },
  };
  const one = await even.run(image.data, WIDTH, HEIGHT);
  for (const views of [2, 4] as const) {
    seen.clear();
    const mean = await meanOfViews(biased, image, views, () => undefined);
    expect(seen.size).toBe(views);
    mean.offsetX.forEach((value, i) => expect(value).toBeCloseTo(one.offsetX[i], 5));
    mean.offsetY.forEach((value, i) => expect(value).toBeCloseTo(one.offsetY[i], 5));
  }
});

it("asks before each view whether to go on", async () => {
  let asked = 0;
  const cancel = (): void => {
    if (++asked === 3) throw new Error("canceled");
  };
  await expect(meanOfViews(even, image, 4, cancel)).rejects.toThrow("canceled");
});
