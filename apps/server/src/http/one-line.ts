/**
 * Control characters, halves of characters, line and paragraph separators, and characters that change the direction of
 * the text after them.
 */
const NOT_A_LINE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Invisible characters: spaces, directional marks, joiners, zero-width characters. */
const UNSEEN = /[\p{Z}\p{Cc}\p{Cf}\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Whether a name or note is displayed as written, on one line; other texts could be mistaken for something else. */
export function isOneLine(text: string): boolean {
  return !NOT_A_LINE.test(text);
}

/** Whether a name shows nothing at all. */
export function isBlank(text: string): boolean {
  return text.replace(UNSEEN, "") === "";
}
