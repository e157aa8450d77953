import { expect, it } from "vitest";
import type { Matrix } from "../matrices.ts";
import { Random } from "../random.ts";
import { fitHarmony } from "./fit-harmony.ts";
import { applyHarmony } from "./harmony.ts";

const N_COLS = 6;
const TYPES = [
  [9, 0, 0, 0, 0, 0],
  [0, 9, 0, 0, 0, 0],
  [0, 0, 9, 0, 0, 0],
];
const SHIFT = [0, 0, 0, 4, -3, 0];

/** Points of types in groups; those of group 1 are shifted. */
function points(
  shift: readonly number[],
  types: readonly (readonly number[])[] = [
    [0, 1, 2],
    [0, 1, 2],
  ],
): { matrix: Matrix<Float32Array>; group: Int32Array; type: number[] } {
  const random = new Random(5);
  const rows: number[][] = [];
  const [group, type]: [number[], number[]] = [[], []];
  for (const [g, own] of types.entries()) {
    for (let i = 0; i < 600; i++) {
      const t = own[i % own.length];
      group.push(g);
      type.push(t);
      rows.push(TYPES[t].map((x, d) => x + g * shift[d] + 0.5 * random.normal()));
    }
  }
  const mean = TYPES[0].map((_, d) => rows.reduce((sum, row) => sum + row[d], 0) / rows.length);
  const data = Float32Array.from(rows.flatMap((row) => row.map((x, d) => x - mean[d])));
  return {
    matrix: { nRows: rows.length, nCols: N_COLS, data },
    group: Int32Array.from(group),
    type,
  };
}

type Given = ReturnType<typeof points>;

function centerOf({ group, type }: Given, data: Float32Array, g: number, t: number): number[] {
  const sums = new Array<number>(N_COLS).fill(0);
  let n = 0;
  type.forEach((own, i) => {
    if (own !== t || group[i] !== g) return;
    n++;
    for (let d = 0; d < N_COLS; d++) sums[d] += data[i * N_COLS + d];
  });
  return sums.map((sum) => sum / n);
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, d) => x - b[d]));
}

async function corrected({ matrix, group }: Given): Promise<Float32Array> {
  const map = await fitHarmony(matrix, group, { seed: 1 });
  return (await applyHarmony(map, matrix, group)).data;
}

it("takes a known shift out, and keeps types apart", async () => {
  const given = points(SHIFT);
  const data = await corrected(given);
  for (const t of [0, 1, 2]) {
    const [a, b] = [0, 1].map((g) => centerOf(given, data, g, t));
    expect(distance(a, b)).toBeLessThan(0.5);
    const others = [0, 1, 2].filter((other) => other !== t);
    for (const other of others) {
      expect(distance(a, centerOf(given, data, 1, other))).toBeGreaterThan(10);
    }
  }
  expect(await corrected(given)).toEqual(data);
});

it("leaves groups that agree where they are", async () => {
  const given = points([0, 0, 0, 0, 0, 0]);
  const data = await corrected(given);
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += (data[i] - given.matrix.data[i]) ** 2;
  expect(Math.sqrt(sum / given.matrix.nRows)).toBeLessThan(0.3);
});

it("keeps a type that only one group has apart", async () => {
  const given = points(SHIFT, [
    [0, 1, 2],
    [0, 1],
  ]);
  const data = await corrected(given);
  const alone = centerOf(given, data, 0, 2);
  for (const t of [0, 1]) {
    expect(distance(centerOf(given, data, 0, t), centerOf(given, data, 1, t))).toBeLessThan(0.8);
    expect(distance(alone, centerOf(given, data, 1, t))).toBeGreaterThan(9);
  }
});

it("moves points that it was not fitted to by the same rule", async () => {
  const given = points(SHIFT);
  const some = Uint32Array.from({ length: 600 }, (_, i) => 2 * i);
  const part = {
    nRows: some.length,
    nCols: N_COLS,
    data: Float32Array.from(
      Array.from(some).flatMap((i) => [
        ...given.matrix.data.subarray(i * N_COLS, (i + 1) * N_COLS),
      ]),
    ),
  };
  const map = await fitHarmony(
    part,
    Int32Array.from(some, (i) => given.group[i]),
    { seed: 1 },
  );
  const { data } = await applyHarmony(map, given.matrix, given.group);
  for (const t of [0, 1, 2]) {
    const [a, b] = [0, 1].map((g) => centerOf(given, data, g, t));
    expect(distance(a, b)).toBeLessThan(0.6);
  }
});
