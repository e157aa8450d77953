import { viewerTexts } from "../../texts/viewer.ts";
import type { ExpressionRange } from "./expression-range.ts";
import type { GeneLayer } from "./viewer-data.ts";
import { VIRIDIS_GRADIENT } from "./viridis.ts";

/** The colour scale of the gene that is shown. */
export function Legend({
  gene,
  layer,
  range,
}: {
  gene: string;
  layer: GeneLayer;
  range: ExpressionRange;
}) {
  return (
    <div className="w-56 max-w-full rounded-control border border-line bg-card/95 px-3 py-2 text-xs">
      <p className="flex items-baseline justify-between gap-2">
        <span className="truncate font-semibold">{gene}</span>
        <span className="shrink-0 text-ink-3">{viewerTexts.layers[layer]}</span>
      </p>
      <div
        aria-hidden
        className="mt-1.5 h-2 rounded-full"
        style={{ backgroundImage: VIRIDIS_GRADIENT }}
      />
      <p className="mt-1 flex justify-between text-ink-2">
        <span>{valueText(range.low)}</span>
        <span>≥ {valueText(range.high)}</span>
      </p>
    </div>
  );
}

/** A value with three significant digits. */
export function valueText(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
