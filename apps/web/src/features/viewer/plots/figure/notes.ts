import {
  pointer,
  tip,
  type Markish,
  type PointerOptions,
  type TipOptions,
} from "@observablehq/plot";

/** Tooltips for the mark under the pointer, taken from the datum's `text`. */
export function notes<Datum extends { text: string }>(
  data: readonly Datum[],
  options: TipOptions & PointerOptions,
): Markish {
  return tip(data, pointer({ title: "text", lineHeight: 1.3, ...options }));
}
