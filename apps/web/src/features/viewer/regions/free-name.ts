import { LONGEST_ANNOTATION_NAME } from "@stipple/contract/annotation-limits";
import { regionTexts } from "./texts.ts";

/** The name, or with a number behind it if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const given = name || regionTexts.defaultName(1);
  if (!taken.has(given)) return given;
  for (let number = 2; ; number++) {
    const end = ` (${number})`;
    const numbered = given.slice(0, LONGEST_ANNOTATION_NAME - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}
