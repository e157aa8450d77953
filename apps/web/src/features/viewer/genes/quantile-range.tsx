import { Slider } from "@base-ui/react/slider";
import { viewerTexts } from "../../../texts/viewer.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";

/** Between which quantiles of the values the colour scale runs. */
export function QuantileRange() {
  const { store } = useViewer();
  const quantiles = useViewerState((state) => state.quantiles);
  const percent = quantiles.map((share) => Math.round(1000 * share) / 10);
  return (
    <Slider.Root
      value={percent}
      min={0}
      max={100}
      step={0.5}
      minStepsBetweenValues={2}
      onValueChange={(next) => {
        const [low = 0, high = 100] = next as readonly number[];
        store.setState({ quantiles: [low / 100, high / 100] });
      }}
    >
      <div className="flex justify-between text-[0.8125rem]">
        <span className="text-ink-2">{viewerTexts.quantiles}</span>
        <span className="text-ink-3">
          {percent[0]}–{percent[1]} %
        </span>
      </div>
      <Slider.Control className="flex h-6 w-full touch-none items-center">
        <Slider.Track className="h-1.5 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-primary" />
          {[viewerTexts.lowerQuantile, viewerTexts.upperQuantile].map((label, index) => (
            <Slider.Thumb
              key={label}
              index={index}
              getAriaLabel={() => label}
              className="size-4 rounded-full border-2 border-primary bg-card has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
            />
          ))}
        </Slider.Track>
      </Slider.Control>
    </Slider.Root>
  );
}
