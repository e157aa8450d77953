import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { ChannelChoice } from "../state/shown-state.ts";

/** Viv draws so many channels at once. */
export const MOST_CHANNELS = 10;

/** How the channels are shown: as the person chose, or as the manifest has them. One a channel; none without channels. */
export function channelChoices(
  { channels }: ViewerManifest,
  chosen: readonly ChannelChoice[] | null,
): readonly ChannelChoice[] {
  if (!channels) return [];
  return channels.channels.map(({ color, low, high }, index) => {
    const choice = chosen?.[index];
    return choice ?? { visible: index < MOST_CHANNELS, color, low, high };
  });
}

/** The channels that are fetched and drawn: all of few, the first ten visible ones of many. */
export function drawnChannels(choices: readonly ChannelChoice[]): number[] {
  const all = [...choices.keys()];
  if (choices.length <= MOST_CHANNELS) return all;
  return all.filter((index) => choices[index]!.visible).slice(0, MOST_CHANNELS);
}
