import { Pencil } from "lucide-react";
import { useState } from "react";
import { Checkbox } from "../../../components/checkbox.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { RangeSlider } from "../../../components/range-slider.tsx";
import { Swatch } from "../../../components/swatch.tsx";
import { stageTexts } from "../stage/texts.ts";
import { viewerTexts } from "../texts.ts";
import {
  channelChoices,
  chosenChannels,
  MAX_CHANNELS,
  maxIntensity,
  type ShownChannel,
} from "@stipple/viewer/source";
import { LONGEST_CHANNEL_NAME } from "@stipple/viewer/choices";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { NameColorForm } from "./name-color-form.tsx";
import { useEditing } from "./use-editing.ts";

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
  const { channels } = manifest.channels;
  const choices = channelChoices(manifest, chosen);
  const visible = choices.filter((choice) => choice.visible).length;

  const isNamed = chosen?.some(({ name }) => name !== undefined) === true;

  function change(index: number, part: Partial<ShownChannel>): void {
    const next = choices.map((choice, at) => (at === index ? { ...choice, ...part } : choice));
    store.setState({ channels: chosenChannels(manifest, next) });
  }

  /** Restores colors and intensities; names stay, because typing them again would be work. */
  function reset(): void {
    const first = channelChoices(manifest, null);
    const named = first.map((choice, at) => ({ ...choice, name: choices[at]!.name }));
    store.setState({ channels: isNamed ? chosenChannels(manifest, named) : null });
  }

  return (
    <section aria-label={stageTexts.channels} className="mt-4 border-t border-line pt-4">
      <div className="mb-1 flex items-center justify-between">
        <h2 className="text-[0.8125rem] font-medium text-ink-2">{stageTexts.channels}</h2>
        {chosen && (
          <button
            type="button"
            className="h-7 rounded px-1.5 text-[0.8125rem] font-medium text-primary hover:bg-raised"
            onClick={reset}
          >
            {stageTexts.channelsReset}
          </button>
        )}
      </div>
      <ul className="flex flex-col gap-2">
        {channels.map((channel, index) => {
          const choice = choices[index]!;
          return (
            <ChannelRow
              key={index}
              originalName={channel.name}
              choice={choice}
              most={maxIntensity(manifest.channels!, channel, choice)}
              full={!choice.visible && visible >= MAX_CHANNELS}
              onChange={(part) => change(index, part)}
            />
          );
        })}
      </ul>
      {channels.length > MAX_CHANNELS && (
        <p className="mt-2 text-xs text-ink-3">{stageTexts.channelsMost(MAX_CHANNELS)}</p>
      )}
    </section>
  );
}

function ChannelRow({
  originalName,
  choice,
  most,
  full,
  onChange,
}: {
  /** As in the image. */
  originalName: string;
  choice: ShownChannel;
  /** Where its slider ends. */
  most: number;
  /** No more channels can be shown. */
  full: boolean;
  onChange: (part: Partial<ShownChannel>) => void;
}) {
  const { isEditing, pencil, edit, stop } = useEditing();
  const { name } = choice;
  return (
    <li>
      {isEditing ? (
        <NameColorForm
          name={name}
          color={{
            value: choice.color,
            label: stageTexts.channelColor(name),
            onChange: (color) => onChange({ color }),
          }}
          nameLabel={viewerTexts.nameOf(originalName)}
          maxLength={LONGEST_CHANNEL_NAME}
          onName={(next) => onChange({ name: next })}
          onDone={stop}
        />
      ) : (
        <div className="flex h-8 items-center gap-1.5">
          <Checkbox
            className="min-w-0 flex-1 gap-2.5"
            title={name === originalName ? name : `${name} (${originalName})`}
            checked={choice.visible}
            disabled={full}
            onCheck={(visible) => onChange({ visible })}
          >
            <Swatch
              color={choice.color}
              className="size-3.5 shrink-0 rounded-[4px] border border-line"
            />
            <span className="truncate">{name}</span>
          </Checkbox>
          <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums">
            {choice.low}–{choice.high}
          </span>
          <IconButton
            ref={pencil}
            size="sm"
            icon={Pencil}
            label={viewerTexts.editGroup(name)}
            onClick={edit}
          />
        </div>
      )}
      <IntensityRange choice={choice} most={most} onChange={onChange} />
    </li>
  );
}

/** The range of a channel's intensities that its color covers. */
function IntensityRange({
  choice: { name, low, high, visible },
  most,
  onChange,
}: {
  choice: ShownChannel;
  most: number;
  onChange: (part: Pick<ShownChannel, "low" | "high">) => void;
}) {
  /** The slider's end while a thumb is held, which must not run away from it. */
  const [held, setHeld] = useState<number | null>(null);
  const max = held ?? most;
  return (
    <RangeSlider
      value={[low, high]}
      max={max}
      step={Math.max(1, Math.round(max / STEPS))}
      labels={[stageTexts.channelLow(name), stageTexts.channelHigh(name)]}
      disabled={!visible}
      onChange={([from, to]) => {
        setHeld(max);
        onChange({ low: from, high: to });
      }}
      onRelease={() => setHeld(null)}
    />
  );
}
