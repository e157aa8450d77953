/** Text that a spreadsheet would run as a formula, or that would be read back as one. */
const FORMULA = /^'*[=+\-@\t\r\n]/;
/** Text that needs quotes (RFC 4180). */
const SPECIAL = /[",\r\n]/;

/**
 * Text as a field of a CSV file, on the pages and in the exports alike. What a spreadsheet would run as a formula gets
 * an apostrophe in front; a null character, at which many readers stop, becomes U+FFFD. Numbers are not text: they are written unchanged.
 */
export function csvText(text: string): string {
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
