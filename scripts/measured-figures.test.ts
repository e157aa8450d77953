import { readFileSync } from "node:fs";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { accuracyReport } from "../bench/accuracy/report.ts";
import type { Accuracy } from "../bench/accuracy/summary.ts";
import { NUCLEI_DOCUMENT, NUCLEI_JSON, nucleiFigures } from "./write-nuclei-figures.ts";

const read = (url: URL): string => readFileSync(url, "utf8");

describe("figures that pages show are those of the documents", () => {
  it("docs/accuracy.md says what docs/accuracy.json says (npm run bench:accuracy)", async () => {
    const figures = JSON.parse(read(new URL("../docs/accuracy.json", import.meta.url))) as Accuracy;
    const document = await format(accuracyReport(figures), { parser: "markdown", printWidth: 100 });
    expect(read(new URL("../docs/accuracy.md", import.meta.url))).toBe(document);
  });

  it("docs/nuclei.json says what the method's document says (npm run figures:nuclei)", () => {
    const figures = nucleiFigures(read(NUCLEI_DOCUMENT));
    expect(figures).toEqual(JSON.parse(read(NUCLEI_JSON)));
    expect(figures.every((row) => Object.values(row).every((value) => value === value))).toBe(true);
  });
});
