import { type ValueRange, VIRIDIS_GRADIENT } from "@stipple/viewer/cells";
import { scaleEnds } from "@stipple/viewer/figure";

/** The color scale with labels at both ends, which indicate when values lie beyond. */
export function ValueScale({
  range,
  quantiles,
}: {
  range: ValueRange;
  quantiles: readonly [number, number];
}) {
  const { low, high } = scaleEnds(range, quantiles);
  return (
    <>
      <div
        aria-hidden
        className="mt-1.5 h-2 rounded-full"
        style={{ backgroundImage: VIRIDIS_GRADIENT }}
      />
      <p className="mt-1 flex justify-between text-ink-2">
        <span>{low}</span>
        <span>{high}</span>
      </p>
    </>
  );
}
