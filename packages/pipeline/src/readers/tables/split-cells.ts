/** Separators of columns; the first of equally good ones wins. */
const SEPARATORS = ["\t", ";", ",", " ", "|"] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Fraction of lines that must have the same number of cells. */
const AGREEMENT = 0.9;

/** The cells of a line, without the blanks and quotes around them. O(line). */
export function splitCells(line: string, separator: Separator): string[] {
  if (line.includes('"')) return quotedCells(line, separator);
  if (separator === " ") return line.trim().split(/\s+/);
  return line.split(separator).map((cell) => bare(cell));
}

function bare(cell: string): string {
  const trimmed = cell.trim();
  return trimmed.length > 1 && trimmed.startsWith("'") && trimmed.endsWith("'")
    ? trimmed.slice(1, -1)
    : trimmed;
}

/** Separators between quotes belong to the cell; a doubled quote is a quote. */
function quotedCells(line: string, separator: Separator): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const letter = line[i];
    if (letter === '"') {
      if (isQuoted && line[i + 1] === '"') cell += line[i++];
      else isQuoted = !isQuoted;
    } else if (letter === separator && !isQuoted) {
      if (separator !== " " || line[i - 1] !== " ") cells.push(cell.trim());
      cell = "";
    } else {
      cell += letter;
    }
  }
  cells.push(cell.trim());
  return cells;
}

/**
 * The separator that splits these lines into the most cells, with the same number in nearly all of them; null if
 * each line is one cell. O(text).
 */
export function separatorOf(
  lines: readonly string[],
  candidates: readonly Separator[] = SEPARATORS,
): Separator | null {
  let best: { separator: Separator; score: number } | null = null;
  for (const separator of candidates) {
    // "a , b" is one cell and another, with blanks around a comma.
    if (separator === " " && / [;,|] /.test(lines[0] ?? "")) continue;
    const counts = lines.map((line) => splitCells(line, separator).length);
    const width = mostCommon(counts);
    if (width < 2) continue;
    const agreeing = counts.filter((count) => count === width).length / counts.length;
    // Without agreement, the number of cells counts for little.
    const score = agreeing >= AGREEMENT || counts.length < 3 ? width : width / 1000;
    if (best === null || score > best.score) best = { separator, score };
  }
  return best?.separator ?? null;
}

/** The most frequent number, the largest of several; 0 if there are none. */
export function mostCommon(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  let [best, most] = [0, 0];
  for (const [count, n] of times)
    if (n > most || (n === most && count > best)) [best, most] = [count, n];
  return best;
}
