import { shortened, textWidth } from "./text-width.ts";

/** Text is measured this much larger, because widths of small text are rounded. */
const LARGER = 4;

/** A text of the page, shortened to a width in points. */
export function fittingText(text: string, width: number, sizePt: number): string {
  return text && shortened(text, LARGER * width, LARGER * sizePt);
}

/** Width of a text of the page in points. */
export function widthOf(text: string, sizePt: number): number {
  return text ? textWidth(text, LARGER * sizePt) / LARGER : 0;
}
