import fc from "fast-check";
import { expect, it } from "vitest";
import { csvText, readCsv, textOfCsv } from "./csv.ts";

/** A field as a reader of CSV files gives it: without its quotes. */
const unquoted = (field: string): string =>
  field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n,\"a1") }),
);

it("no text begins as a formula does, and every text is read back unchanged but for null characters", () => {
  fc.assert(
    fc.property(text, (given) => {
      const field = unquoted(csvText(given));
      expect(field).not.toMatch(/^[=+\-@\t\r\n]/);
      expect(textOfCsv(field)).toBe(given.replaceAll("\0", "\ufffd"));
    }),
    { numRuns: 2000, seed: 7 },
  );
});

it("leaves alone what no spreadsheet runs", () => {
  for (const harmless of ["T cell", "CD4+ T", "a=b", "'quoted'", "", "1e-5", "don't"]) {
    expect(csvText(harmless)).toBe(harmless);
  }
  expect(csvText('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"');
  expect(csvText("'=1")).toBe("''=1");
});

it("reads rows back as they were written, whatever separates cells and lines", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
      const written = [["one", "two"], ...rows].map((row) => `${row.map(csvText).join()}\r\n`);
      const wanted = rows.map((row) => row.map((cell) => cell.replaceAll("\0", "\ufffd")));
      const [, ...read] = readCsv(written.join(""));
      expect(read.map((row) => row.map(textOfCsv))).toEqual(
        wanted.filter((row) =>
          row.some((cell) => csvText(cell).replace(/^"|"$/g, "").trim() !== ""),
        ),
      );
    }),
    { numRuns: 500, seed: 7 },
  );
  expect(readCsv('\ufeffa;"b;c"\n\n1;2')).toEqual([
    ["a", "b;c"],
    ["1", "2"],
  ]);
  expect(readCsv("a,b\r1,2\r")).toEqual(readCsv("a,b\n1,2\n"));
  expect(readCsv("\ufeffsep=;\r\na;b\r\n1;2")).toEqual(readCsv("a;b\n1;2"));
});
