/**
 * Writes docs/measured.json from tables of docs/methods/, so that the Validation page shows what the documents say:
 * `npm run figures:methods`. Each table names there the command that measured it.
 */
import { readFile, writeFile } from "node:fs/promises";

/** How well one method finds the nuclei of one set of labeled images (`node bench/segmentation.ts`). */
export interface NucleiFigures {
  set: string;
  images: number;
  nuclei: number;
  method: string;
  f1: number;
  precision: number;
  recall: number;
  centresF1: number;
}

/** Median correlations over the measured cells of a real section (`node bench/measured-cells.ts`). */
export interface SectionFigures {
  array: string;
  rate: number;
  counts: number;
  nearest: number;
}

/** Macro-F1 of cell types in spots drawn from real single cells (docs/methods/5-cluster-analysis.md). */
export interface RealCellFigures {
  tissue: string;
  f1: number;
  calibrationError: number;
}

export interface MethodFigures {
  nuclei: NucleiFigures[];
  section: SectionFigures[];
  realCells: RealCellFigures[];
}

export const MEASURED_JSON = new URL("../docs/measured.json", import.meta.url);

/** Rows of the one table of a document whose heading begins with these columns. */
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

/** The figures as they stand in docs/methods/; throws when a table is gone or a figure is none. */
export async function methodFigures(): Promise<MethodFigures> {
  const read = (name: string): Promise<string> =>
    readFile(new URL(`../docs/methods/${name}.md`, import.meta.url), "utf8");
  const number = (text: string | undefined): number => {
    const value = Number(text);
    if (!text || Number.isNaN(value)) throw new Error(`Not a figure: ${text}`);
    return value;
  };
  const nuclei = tableOf(
    await read("2-morphological-analysis"),
    "set",
    "images",
    "nuclei",
    "method",
    "found",
    "F1@0.5",
    "precision",
    "recall",
    "IoU of hits",
    "F1 of centres",
  );
  const section = tableOf(
    await read("1-optical-decomposition"),
    "",
    "inferred rate",
    "allocated counts",
    "nearest bin or spot, at the true places",
  );
  const cells = tableOf(
    await read("5-cluster-analysis"),
    "tissue, seed",
    "macro-F1, scores (before)",
    "macro-F1, fit",
    "calibration error before",
    "now",
  );
  return {
    nuclei: nuclei.map((row) => ({
      set: row[0]!,
      images: number(row[1]),
      nuclei: number(row[2]),
      method: row[3]!,
      f1: number(row[5]),
      precision: number(row[6]),
      recall: number(row[7]),
      centresF1: number(row[9]),
    })),
    section: section.map(([array, rate, counts, nearest]) => ({
      array: array!,
      rate: number(rate),
      counts: number(counts),
      nearest: number(nearest),
    })),
    realCells: cells
      .filter(([tissue]) => tissue!.startsWith("real cells"))
      .map(([tissue, , f1, , calibrationError]) => ({
        tissue: tissue!,
        f1: number(f1),
        calibrationError: number(calibrationError),
      })),
  };
}

if (import.meta.main) {
  await writeFile(MEASURED_JSON, `${JSON.stringify(await methodFigures(), null, 2)}\n`);
}
