/**
 * Writes docs/measured.json from a table in a document, and docs/headline.json from that, docs/accuracy.json, and
 * docs/real.json, so that pages match the documents: `npm run figures:methods`. Each table names the command that measured it.
 */
import { readFile, writeFile } from "node:fs/promises";
import type { Accuracy } from "../lab/bench/accuracy/summary.ts";
import type { RealResults } from "../lab/bench/real/report.ts";

/** Accuracy in finding nuclei in one set of labeled images (`node lab/bench/segmentation.ts`). */
export interface NucleiFigures {
  set: string;
  images: number;
  nuclei: number;
  f1: number;
  precision: number;
  recall: number;
  centersF1: number;
}

/** The few figures shown on the landing page, which cannot afford to load all of them. */
export interface HeadlineFigures {
  /** Median correlation over the most variable genes, simulated breast. */
  rate: number;
  interpolation: number;
  /** Share of the measured cells of a tumor with the right type, from spots and from 8 µm bins. */
  types: number;
  typesOfBins: number;
  /** Median correlation over the 306 most variable genes with these cells, from spots, and of the nearest spot. */
  section: number;
  sectionNearest: number;
  /** F1 of nuclei in labeled breast images, and how many images. */
  nuclei: number;
  nucleiImages: number;
  /** Nuclei found there per labeled nucleus, and the share that is right. */
  foundForEach: number;
  foundRight: number;
}

export interface MethodFigures {
  nuclei: NucleiFigures[];
}

export const MEASURED_JSON = new URL("../docs/measured.json", import.meta.url);
export const HEADLINE_JSON = new URL("../docs/headline.json", import.meta.url);

/** Rows of the only table in a document whose header starts with these columns. */
function tableOf(document: string, ...columns: string[]): string[][] {
  const lines = document.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const head = lines.findIndex((cells) => columns.every((name, at) => cells[at] === name));
  if (head < 0) throw new Error(`No table with the columns ${columns.join(", ")}.`);
  const end = lines.findIndex((cells, at) => at > head && cells.length === 0);
  return lines.slice(head + 2, end);
}

/** The figures currently in the documents; throws if a table is missing or a figure is not a number. */
export async function methodFigures(): Promise<MethodFigures> {
  const read = (name: string): Promise<string> =>
    readFile(new URL(`../docs/${name}.md`, import.meta.url), "utf8");
  const number = (text: string | undefined): number => {
    const value = Number(text);
    if (!text || Number.isNaN(value)) throw new Error(`Not a figure: ${text}`);
    return value;
  };
  const nuclei = tableOf(
    await read("notebook/methods/2-measured"),
    "set",
    "images",
    "nuclei",
    "found",
    "F1@0.5",
    "precision",
    "recall",
    "IoU of hits",
    "area of hits",
    "F1 of centers",
  );
  return {
    nuclei: nuclei.map((row) => ({
      set: row[0],
      images: number(row[1]),
      nuclei: number(row[2]),
      f1: number(row[4]),
      precision: number(row[5]),
      recall: number(row[6]),
      centersF1: number(row[9]),
    })),
  };
}

export async function headlineFigures(): Promise<HeadlineFigures> {
  const parsed = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(`../docs/${name}.json`, import.meta.url), "utf8"));
  const { tissues } = (await parsed("accuracy")) as Accuracy;
  const { captures, byOthers } = (await parsed("real")) as RealResults;
  const ofSpots = byOthers.visium.rates;
  const tissue = (id: string) => one(tissues, id);
  const visium = tissue("human-1");
  const { nuclei } = await methodFigures();
  const found = nuclei.find(({ set }) => set === "he-breast");
  if (!found) throw new Error("The table of nuclei has no row for he-breast.");
  const rounded = (value: number): number => Number(value.toFixed(3));
  return {
    rate: rounded(one(visium.expression, "rate").variable.mean),
    interpolation: rounded(one(visium.expression, "interpolation").variable.mean),
    types: rounded(captures.visium.names!.accuracy),
    typesOfBins: rounded(captures.hd8.names!.accuracy),
    section: rounded(ofSpots.rate[1]),
    sectionNearest: rounded(ofSpots["nearest spot or bin"][1]),
    nuclei: found.f1,
    nucleiImages: found.images,
    foundForEach: rounded(found.recall / found.precision),
    foundRight: found.precision,
  };
}

function one<Row extends { id: string }>(rows: readonly Row[], id: string): Row {
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error(`docs/accuracy.json has no ${id}.`);
  return found;
}

if (import.meta.main) {
  for (const [file, figures] of [
    [MEASURED_JSON, await methodFigures()],
    [HEADLINE_JSON, await headlineFigures()],
  ] as const) {
    await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
  }
}
