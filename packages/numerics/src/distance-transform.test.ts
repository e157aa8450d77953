import { expect, it } from "vitest";
import { expandLabels, squaredDistanceTransform } from "./distance-transform.ts";
import { Random } from "./random.ts";

const WIDTH = 41;
const HEIGHT = 33;

it("matches a brute-force search over all pixels", () => {
  const random = new Random(3);
  const mask = Uint8Array.from({ length: WIDTH * HEIGHT }, () => (random.uniform() < 0.03 ? 0 : 1));
  const distance = squaredDistanceTransform(mask, WIDTH, HEIGHT);
  for (let p = 0; p < mask.length; p++) {
    let nearest = Infinity;
    for (let q = 0; q < mask.length; q++) {
      if (mask[q]) continue;
      const dx = (p % WIDTH) - (q % WIDTH);
      const dy = Math.floor(p / WIDTH) - Math.floor(q / WIDTH);
      nearest = Math.min(nearest, dx * dx + dy * dy);
    }
    expect(distance[p]).toBe(nearest);
  }
});

it("grows each label to the pixels nearest to it, within the limit", () => {
  const labels = new Int32Array(WIDTH * HEIGHT);
  const points = [
    [8, 9],
    [20, 12],
    [30, 25],
  ];
  points.forEach(([x, y], i) => (labels[y * WIDTH + x] = i + 1));
  const grown = expandLabels(labels, WIDTH, HEIGHT, 9);
  for (let p = 0; p < grown.length; p++) {
    const d = points.map(([x, y]) => ((p % WIDTH) - x) ** 2 + (Math.floor(p / WIDTH) - y) ** 2);
    const nearest = Math.min(...d);
    if (nearest > 81) expect(grown[p]).toBe(0);
    else expect(d[grown[p] - 1]).toBe(nearest);
  }
});
