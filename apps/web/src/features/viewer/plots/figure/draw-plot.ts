import { plot, type Markish, type PlotOptions } from "@observablehq/plot";

/** Font size in drawings, px. */
export const TYPE = 11;

/** An Observable Plot drawing in the page's font and colors. */
export function drawPlot({
  marks,
  ...options
}: Omit<PlotOptions, "marks"> & { marks: Markish[] }): SVGSVGElement {
  marks.forEach(withoutName);
  return plot({
    ...options,
    marks,
    style: `font-family: inherit; font-size: ${TYPE}px; font-variant-numeric: tabular-nums; overflow: visible; max-width: none; --plot-background: var(--color-card)`,
  }) as unknown as SVGSVGElement;
}

/**
 * The drawing as a whole is labeled; Plot also labels its parts ("dot") on elements where ARIA allows no label. The
 * labels of axes and grids stay: they tell Plot not to add its own.
 */
function withoutName(mark: unknown): void {
  if (Array.isArray(mark)) mark.forEach(withoutName);
  else if (hasName(mark) && !/axis|grid/.test(mark.ariaLabel))
    Object.assign(mark, { ariaLabel: undefined });
}

function hasName(mark: unknown): mark is { ariaLabel: string } {
  return typeof (mark as { ariaLabel?: unknown } | null)?.ariaLabel === "string";
}
