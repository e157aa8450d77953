import { RangeSlider } from "../../../components/range-slider.tsx";
import { stageTexts } from "../../../texts/viewer-stage.ts";
import { channelChoices, MOST_CHANNELS } from "../stage/channel-choices.ts";
import type { ChannelChoice } from "../state/shown-state.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";

/** A slider's maximum, as a multiple of the upper end of the image's own intensity range. */
const ROOM = 3;
const STEPS = 500;

/**
 * Fluorescence channels of the tissue: which are shown, in which color, and over which intensity range. Nothing for
 * other stains.
 */
export function ChannelSection() {
  const { manifest, store } = useViewer();
  const chosen = useViewerState((state) => state.channels);
  const showsTissue = useViewerState((state) => state.arrangement !== "umap");
  if (!manifest.channels || !showsTissue) return null;
  const { channels, dtype } = manifest.channels;
  const choices = channelChoices(manifest, chosen);
  const visible = choices.filter((choice) => choice.visible).length;

  function change(index: number, part: Partial<ChannelChoice>): void {
    store.setState({
      channels: choices.map((choice, at) => (at === index ? { ...choice, ...part } : choice)),
    });
  }

  return (
    <section aria-label={stageTexts.channels} className="mt-4 border-t border-line pt-4">
      <div className="mb-1 flex items-center justify-between">
        <h2 className="text-[0.8125rem] font-medium text-ink-2">{stageTexts.channels}</h2>
        {chosen && (
          <button
            type="button"
            className="h-7 rounded px-1.5 text-[0.8125rem] font-medium text-primary hover:bg-raised"
            onClick={() => store.setState({ channels: null })}
          >
            {stageTexts.channelsReset}
          </button>
        )}
      </div>
      <ul className="flex flex-col gap-2">
        {channels.map(({ name, high }, index) => {
          const choice = choices[index]!;
          const largest = dtype === "uint8" ? 255 : 65_535;
          return (
            <ChannelRow
              key={index}
              name={name}
              choice={choice}
              max={Math.max(choice.high, Math.min(largest, Math.ceil(ROOM * high)))}
              full={!choice.visible && visible >= MOST_CHANNELS}
              onChange={(part) => change(index, part)}
            />
          );
        })}
      </ul>
      {channels.length > MOST_CHANNELS && (
        <p className="mt-2 text-xs text-ink-3">{stageTexts.channelsMost(MOST_CHANNELS)}</p>
      )}
    </section>
  );
}

function ChannelRow({
  name,
  choice,
  max,
  full,
  onChange,
}: {
  name: string;
  choice: ChannelChoice;
  max: number;
  /** No more channels can be shown. */
  full: boolean;
  onChange: (part: Partial<ChannelChoice>) => void;
}) {
  const step = Math.max(1, Math.round(max / STEPS));
  return (
    <li>
      <div className="flex h-8 items-center gap-2.5">
        <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5">
          <input
            type="checkbox"
            checked={choice.visible}
            disabled={full}
            onChange={(event) => onChange({ visible: event.target.checked })}
            className="size-4 shrink-0 accent-primary"
          />
          <span className="truncate" title={name}>
            {name}
          </span>
        </label>
        <span className="text-xs text-ink-3 tabular-nums">
          {choice.low}–{choice.high}
        </span>
        <input
          type="color"
          aria-label={stageTexts.channelColor(name)}
          value={choice.color}
          onChange={(event) => onChange({ color: event.target.value })}
          className="h-6 w-8 shrink-0 cursor-pointer rounded border border-line bg-card"
        />
      </div>
      <RangeSlider
        value={[choice.low, choice.high]}
        max={max}
        step={step}
        labels={[stageTexts.channelLow(name), stageTexts.channelHigh(name)]}
        disabled={!choice.visible}
        onChange={([low, high]) => onChange({ low, high })}
      />
    </li>
  );
}
