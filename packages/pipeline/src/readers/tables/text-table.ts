import { SEPARATOR_LINE } from "@stipple/contract/csv";
import { readLines, type WantedText } from "../counts/read-text.ts";
import { separatorOf, splitCells, type Separator } from "./split-cells.ts";

/** Lines by which a table's form is judged. */
const SAMPLE = 1000;

/** A row of a table of text, and the number of its line. */
export interface TextRow {
  cells: string[];
  line: number;
}

/** A table of text whose form is known; its rows are read as they are asked for. */
export interface TextTable {
  /** The first rows, at most 1,000. */
  sample: TextRow[];
  /** All rows, the first ones included. */
  rows(): AsyncGenerator<TextRow>;
  /** What is unusual about the text, as parts of a sentence; complete once all rows were read. */
  oddities: string[];
}

const NAMES: Record<Separator, string> = {
  "\t": "tabs between columns",
  ";": "semicolons between columns",
  ",": "",
  " ": "blanks between columns",
  "|": "bars between columns",
};

/**
 * Opens a table of text: any encoding, separator, and quotes; compressed or not. Blank lines are left out. Throws
 * InputError for a file that is not text. `separators`: those that may occur, by default all.
 */
export async function openTextTable(
  path: string,
  options: { wanted: WantedText; separators?: readonly Separator[]; usual?: Separator },
): Promise<TextTable> {
  const oddities: string[] = [];
  const lines = readLines(path, options.wanted, (oddity) => oddities.push(oddity));
  const first: { text: string; line: number }[] = [];
  let line = 0;
  while (first.length < SAMPLE) {
    const next = await lines.next();
    if (next.done === true) break;
    line++;
    if (line === 1 && SEPARATOR_LINE.test(next.value)) continue;
    if (next.value.trim() !== "") first.push({ text: next.value, line });
  }
  // Names of columns may be one fewer than the cells of other lines.
  const others = first.length > 2 ? first.slice(1) : first;
  const found = separatorOf(
    others.map(({ text }) => text),
    options.separators,
  );
  const separator = found ?? options.usual ?? ",";
  if (separator !== (options.usual ?? ",") && NAMES[separator] !== "") {
    oddities.push(NAMES[separator]);
  }
  const cellsOf = (text: string): string[] => splitCells(text, separator);
  const sample = first.map((each) => ({ cells: cellsOf(each.text), line: each.line }));
  return {
    sample,
    oddities,
    async *rows() {
      yield* sample;
      for await (const text of lines) {
        line++;
        if (text.trim() === "") continue;
        yield { cells: cellsOf(text), line };
      }
    },
  };
}

/** Whether a row has nothing in it, as spreadsheets write below a table. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "");
}
