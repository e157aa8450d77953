/** What XML 1.0 cannot contain, not even escaped: one such character makes a whole figure unreadable. */
// eslint-disable-next-line no-control-regex -- these are the characters
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text as content or a quoted attribute of SVG, other XML, or HTML. Names come from files that others have written:
 * characters that these formats cannot contain become U+FFFD (�).
 */
export function markupText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ILLEGAL, "\ufffd")
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
