/** Control characters, line and paragraph separators, and characters that turn the direction of what follows them. */
const NOT_A_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** What nobody sees: spaces, marks of direction, joiners, characters of no width. */
const UNSEEN = /[\p{Z}\p{Cc}\p{Cf}\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Whether a name or note shows as it is written, on one line: others could pass for something else. */
export function isOneLine(text: string): boolean {
  return !NOT_A_LINE.test(text);
}

/** Whether a name shows nothing at all. */
export function isBlank(text: string): boolean {
  return text.replace(UNSEEN, "") === "";
}
