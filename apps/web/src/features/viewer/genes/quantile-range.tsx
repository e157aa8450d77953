import { RangeSlider } from "../../../components/range-slider.tsx";
import { viewerTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";

/** The quantiles of the values that limit the color scale. */
export function QuantileRange() {
  const { store } = useViewer();
  const quantiles = useViewerState((state) => state.quantiles);
  const [low, high] = quantiles.map((share) => Math.round(1000 * share) / 10) as [number, number];
  return (
    <RangeSlider
      value={[low, high]}
      max={100}
      step={0.5}
      apart={2}
      labels={[viewerTexts.lowerQuantile, viewerTexts.upperQuantile]}
      onChange={([from, to]) => store.setState({ quantiles: [from / 100, to / 100] })}
    >
      <div className="flex justify-between text-[0.8125rem]">
        <span className="text-ink-2">{viewerTexts.quantiles}</span>
        <span className="text-ink-3">
          {low}–{high}%
        </span>
      </div>
    </RangeSlider>
  );
}
