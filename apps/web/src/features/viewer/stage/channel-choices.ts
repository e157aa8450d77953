import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { ChannelChoice } from "../state/shown-state.ts";

/** Viv's limit on channels drawn at once. */
export const MOST_CHANNELS = 10;

/** How channels are shown: as the user chose, or as in the manifest. One entry per channel; empty without channels. */
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

/** The channels to fetch and draw: all if there are few, otherwise the first ten visible ones. */
export function drawnChannels(choices: readonly ChannelChoice[]): number[] {
  const all = [...choices.keys()];
  if (choices.length <= MOST_CHANNELS) return all;
  return all.filter((index) => choices[index]!.visible).slice(0, MOST_CHANNELS);
}
