import { plot, type PlotOptions } from "@observablehq/plot";

/** Size of all type in drawings, px. */
export const TYPE = 11;

/** A drawing by Observable Plot in the page's type and colours. */
export function drawPlot(options: PlotOptions): SVGSVGElement {
  return plot({
    ...options,
    style: `font-family: inherit; font-size: ${TYPE}px; font-variant-numeric: tabular-nums; overflow: visible; max-width: none; --plot-background: var(--card)`,
  }) as unknown as SVGSVGElement;
}
