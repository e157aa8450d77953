import { plot, type Markish, type PlotOptions } from "@observablehq/plot";

/** Size of all type in drawings, px. */
export const TYPE = 11;

/** A drawing by Observable Plot in the page's type and colors. */
export function drawPlot({
  marks,
  ...options
}: Omit<PlotOptions, "marks"> & { marks: Markish[] }): SVGSVGElement {
  marks.forEach(withoutName);
  return plot({
    ...options,
    marks,
    style: `font-family: inherit; font-size: ${TYPE}px; font-variant-numeric: tabular-nums; overflow: visible; max-width: none; --plot-background: var(--card)`,
  }) as unknown as SVGSVGElement;
}

/**
 * The whole drawing has a name; Plot's own names of its parts ("dot") stand where ARIA allows none. Those of axes and
 * grids stay: by them Plot knows that it need not add its own.
 */
function withoutName(mark: unknown): void {
  if (Array.isArray(mark)) mark.forEach(withoutName);
  else if (hasName(mark) && !/axis|grid/.test(mark.ariaLabel))
    Object.assign(mark, { ariaLabel: undefined });
}

function hasName(mark: unknown): mark is { ariaLabel: string } {
  return typeof (mark as { ariaLabel?: unknown } | null)?.ariaLabel === "string";
}
