import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { Random } from "../../numerics/random.ts";
import { CoordinateLines, GZIP_HEAD } from "./coordinate-lines.ts";

const N_GENES = 120_000;

it.each([
  ["counts", null],
  ["rates", (value: number) => String(value)],
])("is read by any gzip reader, over pieces and cells of all lengths: %s", (_, textOf) => {
  const random = new Random(3);
  const lines = new CoordinateLines(N_GENES, textOf);
  const parts: Uint8Array[] = [GZIP_HEAD];
  let expected = "";
  for (let cell = 1; cell <= 90; cell++) {
    const number = cell % 3 === 0 ? cell * 10 ** (cell % 7) : cell;
    const genes = [...new Set(Array.from({ length: 1 + cell ** 2 }, () => random.below(N_GENES)))];
    genes.sort((a, b) => a - b);
    const values = genes.map(() => {
      const value = 2 ** random.below(cell % 2 === 0 ? 2 : 24);
      return textOf ? value / 1024 : value;
    });
    genes.forEach((gene, i) => (expected += `${gene + 1} ${number} ${values[i]}\n`));
    for (let from = 0; from < genes.length;) {
      from = lines.take(number, genes, values, from, genes.length);
      if (from < genes.length) parts.push(lines.flush().slice());
    }
  }
  parts.push(lines.flush().slice(), lines.end());
  expect(parts.length).toBeGreaterThan(3);
  const compressed = Buffer.concat(parts);
  expect(gunzipSync(compressed).toString("latin1") === expected).toBe(true);
  expect(compressed.length).toBeLessThan(expected.length / 2);
});

it("is a member of nothing where there are no lines", () => {
  const lines = new CoordinateLines(5, null);
  const parts = [GZIP_HEAD, lines.flush().slice(), lines.end()];
  expect(gunzipSync(Buffer.concat(parts))).toHaveLength(0);
});
