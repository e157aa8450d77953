/**
 * Writes docs/nuclei.json from the table of docs/methods/2-morphological-analysis.md, which `node bench/segmentation.ts`
 * printed, so that the Validation page shows what the document says: `npm run figures:nuclei`.
 */
import { readFile, writeFile } from "node:fs/promises";

/** How well one method finds the nuclei of one set of labelled images. */
export interface NucleiFigures {
  set: string;
  images: number;
  nuclei: number;
  method: string;
  found: number;
  f1: number;
  precision: number;
  recall: number;
  centresF1: number;
}

export const NUCLEI_DOCUMENT = new URL(
  "../docs/methods/2-morphological-analysis.md",
  import.meta.url,
);
export const NUCLEI_JSON = new URL("../docs/nuclei.json", import.meta.url);
const HEAD =
  "set images nuclei method found F1@0.5 precision recall IoU of hits F1 of centres Mpx/s";

/** The rows of the table of measured sets; throws when the document has no such table. */
export function nucleiFigures(document: string): NucleiFigures[] {
  const lines = document.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const head = lines.findIndex((cells) => cells.join(" ") === HEAD);
  if (head < 0) throw new Error(`No table with the columns: ${HEAD}`);
  const end = lines.findIndex((cells, at) => at > head && cells.length === 0);
  return lines.slice(head + 2, end).map((cells) => {
    const number = (column: number): number => Number(cells[column]);
    return {
      set: cells[0]!,
      images: number(1),
      nuclei: number(2),
      method: cells[3]!,
      found: number(4),
      f1: number(5),
      precision: number(6),
      recall: number(7),
      centresF1: number(9),
    };
  });
}

if (import.meta.main) {
  const figures = nucleiFigures(await readFile(NUCLEI_DOCUMENT, "utf8"));
  await writeFile(NUCLEI_JSON, `${JSON.stringify(figures, null, 2)}\n`);
}
