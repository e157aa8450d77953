import { readFileSync } from "node:fs";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import type { Accuracy } from "../lab/bench/accuracy/summary.ts";
import { accuracyDocuments } from "../lab/bench/accuracy/write-documents.ts";
import { realReport, type RealResults } from "../lab/bench/real/report.ts";
import {
  HEADLINE_JSON,
  headlineFigures,
  MEASURED_JSON,
  methodFigures,
} from "./write-method-figures.ts";

const read = (url: URL): string => readFileSync(url, "utf8");

describe("figures on pages match the documents", () => {
  it("docs/accuracy.md and its tables match docs/accuracy.json (npm run bench:accuracy)", async () => {
    const figures = JSON.parse(read(new URL("../docs/accuracy.json", import.meta.url))) as Accuracy;
    const page = new URL("../docs/accuracy.md", import.meta.url);
    const documents = await accuracyDocuments(page.pathname, figures);
    expect(documents.size).toBe(2);
    for (const [file, document] of documents) expect(readFileSync(file, "utf8")).toBe(document);
  });

  it("docs/real.md matches docs/real.json (npm run bench:real)", async () => {
    const figures = JSON.parse(read(new URL("../docs/real.json", import.meta.url))) as RealResults;
    const document = await format(realReport(figures), { parser: "markdown", printWidth: 100 });
    expect(read(new URL("../docs/real.md", import.meta.url))).toBe(document);
  });

  it("docs/measured.json matches the documents (npm run figures:methods)", async () => {
    expect(JSON.parse(read(MEASURED_JSON))).toEqual(await methodFigures());
  });

  it("the page of step 2 has the figures of docs/measured.json", async () => {
    const page = read(new URL("../docs/methods/2-morphological-analysis.md", import.meta.url));
    const short = (figure: number): string => figure.toFixed(3).replace(/^0/, "");
    const rows = page
      .split("\n")
      .filter((line) => /^\| [a-z].* \(\d+\) /.test(line) && !line.includes("–"));
    expect(rows).toHaveLength(7);
    const { nuclei } = await methodFigures();
    for (const row of rows) {
      const [, count, ...figures] = row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      const set = nuclei.find((one) => one.nuclei.toLocaleString("en") === count)!;
      expect(figures).toEqual([set.f1, set.precision, set.recall, set.centersF1].map(short));
    }
  });

  it("the network's model card has the figures of docs/measured.json", async () => {
    const card = read(new URL("../packages/pipeline/models/README.md", import.meta.url));
    const figures = [...card.matchAll(/^\| .* \| (\d+) +((?:\| [01]\.\d{3} +){4})\|$/gm)].map(
      ([, images, row]) => [images, ...row!.match(/[01]\.\d{3}/g)!].map(Number),
    );
    const { nuclei } = await methodFigures();
    expect(figures).toEqual(
      nuclei.map(({ images, f1, precision, recall, centersF1 }) => [
        images,
        f1,
        precision,
        recall,
        centersF1,
      ]),
    );
  });

  it("docs/headline.json matches both (npm run figures:methods)", async () => {
    expect(JSON.parse(read(HEADLINE_JSON))).toEqual(await headlineFigures());
  });
});
