import { RangeSlider } from "./range-slider.tsx";

type Quantiles = readonly [number, number];

/** The quantiles of the values that limit the color scale. */
export function QuantileSlider({
  quantiles,
  onChange,
}: {
  quantiles: Quantiles;
  onChange: (quantiles: Quantiles) => void;
}) {
  const [low, high] = quantiles.map((share) => Math.round(1000 * share) / 10) as [number, number];
  return (
    <RangeSlider
      value={[low, high]}
      max={100}
      step={0.5}
      apart={2}
      labels={["Lower end of the color range, percent", "Upper end of the color range, percent"]}
      onChange={([from, to]) => onChange([from / 100, to / 100])}
    >
      <div className="flex justify-between text-[0.8125rem]">
        <span className="text-ink-2">Color range (percentiles)</span>
        <span className="text-ink-3">
          {low}–{high}%
        </span>
      </div>
    </RangeSlider>
  );
}
