/** Text that a spreadsheet would run as a formula, or that would be read back as one. */
const FORMULA = /^'*[=+\-@\t\r\n]/;
/** Most text, which stays as it is. */
const PLAIN = /^[^'=+\-@,"\t\r\n\0][^,"\r\n\0]*$/;
/** Text that needs quotes (RFC 4180). */
const SPECIAL = /[",\r\n]/;

/**
 * Text as a field of a CSV file, on the pages and in the exports alike. What a spreadsheet would run as a formula gets
 * an apostrophe in front; a null character, at which many readers stop, becomes U+FFFD. Numbers are not text: they are written unchanged.
 */
export function csvText(text: string): string {
  if (PLAIN.test(text)) return text;
  const readable = text.replaceAll("\0", "\ufffd");
  const safe = FORMULA.test(readable) ? `'${readable}` : readable;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The text that was given to `csvText`, from a field without its quotes: a leading apostrophe is removed if =, +, -, @,
 * a tab, or a line break follows, possibly after more apostrophes.
 */
export function textOfCsv(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}

/** The line in which Excel names the separator of a table, which the table itself shows. */
export const SEPARATOR_LINE = /^"?sep=.?"?\s*(\n|$)/i;

/**
 * The rows of a table with commas, semicolons, or tabs between its cells (whichever the first line has most), without
 * quotes and blank rows. Lines may end as on any system: old spreadsheets for Macs write carriage returns alone.
 */
export function readCsv(text: string): string[][] {
  const marked = text.includes("\n") ? text : text.replaceAll("\r", "\n");
  const plain = marked.replace(/^\ufeff/, "").replace(SEPARATOR_LINE, "");
  const first = plain.split(/\r?\n/, 1)[0]!.replace(/"(?:[^"]|"")*"/g, "");
  const counts = [",", ";", "\t"].map((mark) => first.split(mark).length);
  const separator = [",", ";", "\t"][counts.indexOf(Math.max(...counts))]!;
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i < plain.length; i++) {
    const sign = plain[i]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (plain[i + 1] === '"') cell += plain[i++]!;
      else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === "\r" && (plain[i + 1] ?? "\n") === "\n") continue;
    else if (sign === separator || sign === "\n") {
      rows.at(-1)!.push(cell);
      cell = "";
      if (sign === "\n") rows.push([]);
    } else cell += sign;
  }
  rows.at(-1)!.push(cell);
  return rows.filter((cells) => cells.some((one) => one.trim() !== ""));
}
