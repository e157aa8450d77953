import { markupText } from "@stipple/contract/markup";

/** Markup that is safe to put into a page. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | Html | readonly Part[] | null | false | undefined;

/** Markup with interpolated values: every string is escaped, whatever it contains; null and false produce nothing. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.reduce((out, text, i) => out + markupOf(values[i - 1]) + text));
}

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.markup;
  if (Array.isArray(part)) return part.map(markupOf).join("");
  return markupText(String(part as string | number));
}
