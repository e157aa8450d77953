import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { PlainRun, takePlainLines } from "./plain-lines.ts";

/** Feature, barcode, and count of every line taken, and the byte offsets of lines in other forms. */
function taken(text: string): { lines: number[][]; others: number[] } {
  const bytes = Buffer.from(text);
  const run = new PlainRun();
  const lines: number[][] = [];
  const others: number[] = [];
  for (let at = 0; at < bytes.length;) {
    takePlainLines(bytes, at, bytes.length, run);
    const { stop, n, barcode, features, values } = run;
    for (let k = 0; k < n; k++) lines.push([features[k] + 1, barcode + 1, values[k]]);
    at = stop;
    if (n > 0) continue;
    others.push(at);
    at = bytes.indexOf("\n", at) + 1;
  }
  return { lines, others };
}

it("reads numbers of one to seven digits, over more lines than it takes at a time", () => {
  const random = new Random(1);
  const upTo = (digits: number): number => 1 + random.below(10 ** (1 + random.below(digits)) - 1);
  const lines: number[][] = [];
  while (lines.length < 60_000) {
    const barcode = upTo(7);
    const n = random.below(4) === 0 ? 20_000 : random.below(5);
    for (let k = 0; k < n; k++) lines.push([upTo(7), barcode, random.below(3) ? 1 : upTo(7)]);
  }
  lines.push([1, 12, 0], [1, 1, 10], [1, 12, 1], [1, 123, 1], [9_999_999, 9_999_999, 9_999_999]);
  const found = taken(lines.map((line) => `${line.join(" ")}\n`).join(""));
  expect(found.others).toEqual([]);
  expect(found.lines).toEqual(lines);
});

it.each([
  "0 1 1",
  "1 0 1",
  "12345678 1 1",
  "1 12345678 1",
  "1 1 12345678",
  "1  1 1",
  " 1 1 1",
  "1\t1 1",
  "1 1 1 ",
  "1 1 1\r",
  "1 1",
  "1 1 ",
  "1 1 -1",
  "1 1 1.0",
  "1 1 1e3",
  "a 1 1",
  "1 : 1",
  "1 1 /",
  "1 1 é",
  "%",
  "",
])("stops at the line %j and goes on behind it", (line) => {
  const { lines, others } = taken(`5 1 1\n${line}\n6 1 2\n`);
  expect(others).toEqual([6]);
  expect(lines).toEqual([
    [5, 1, 1],
    [6, 1, 2],
  ]);
});
