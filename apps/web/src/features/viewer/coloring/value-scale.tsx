import { useViewerState } from "../state/viewer-context.tsx";
import { type ValueRange, valueText, VIRIDIS_GRADIENT } from "@stipple/viewer/cells";

/** The color scale with labels at both ends, which indicate when values lie beyond. */
export function ValueScale({ range }: { range: ValueRange }) {
  const [lower, upper] = useViewerState((state) => state.quantiles);
  return (
    <>
      <div
        aria-hidden
        className="mt-1.5 h-2 rounded-full"
        style={{ backgroundImage: VIRIDIS_GRADIENT }}
      />
      <p className="mt-1 flex justify-between text-ink-2">
        <span>
          {lower > 0 ? "≤ " : ""}
          {valueText(range.low)}
        </span>
        <span>
          {upper < 1 ? "≥ " : ""}
          {valueText(range.high)}
        </span>
      </p>
    </>
  );
}
