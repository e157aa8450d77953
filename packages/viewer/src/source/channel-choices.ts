import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { LONGEST_CHANNEL_NAME, type ChannelChoice } from "../choices.ts";

/** Viv's limit on channels drawn at once. */
export const MAX_CHANNELS = 10;

export type ShownChannel = ChannelChoice & { name: string };

/** How channels are shown: as the user chose, or as in the manifest. One entry per channel; empty without channels. */
export function channelChoices(
  { channels }: ViewerManifest,
  chosen: readonly ChannelChoice[] | null,
): readonly ShownChannel[] {
  if (!channels) return [];
  return channels.channels.map(({ name, color, low, high }, index) => {
    const choice = chosen?.[index] ?? { visible: index < MAX_CHANNELS, color, low, high };
    return { ...choice, name: choice.name ?? name };
  });
}

/** What to remember of shown channels: names only where the user changed them; null if nothing differs. */
export function chosenChannels(
  { channels }: ViewerManifest,
  shown: readonly ShownChannel[],
): readonly ChannelChoice[] | null {
  if (!channels) return null;
  return shown.map(({ name, ...choice }, index) => {
    const given = name.trim().slice(0, LONGEST_CHANNEL_NAME);
    const isOwn = given !== "" && given !== channels.channels[index]?.name;
    return { ...choice, ...(isOwn && { name: given }) };
  });
}

/** The channels to fetch and draw: all if there are few, otherwise the first ten visible ones. */
export function drawnChannels(choices: readonly ChannelChoice[]): number[] {
  const all = [...choices.keys()];
  if (choices.length <= MAX_CHANNELS) return all;
  return all.filter((index) => choices[index]!.visible).slice(0, MAX_CHANNELS);
}

/** A slider ends this many times above the higher of the intensities that are suggested and chosen. */
const ROOM = 3;

/**
 * Where a channel's slider of intensities ends: above what is chosen, so that each move makes room for the next, and the
 * few bright pixels of a rare marker, which the suggested range leaves out, can be reached.
 */
export function maxIntensity(
  { dtype }: Pick<NonNullable<ViewerManifest["channels"]>, "dtype">,
  suggested: { high: number },
  chosen: { high: number },
): number {
  const largest = dtype === "uint8" ? 255 : 65_535;
  const room = Math.ceil(ROOM * Math.max(suggested.high, chosen.high));
  return Math.max(chosen.high, Math.min(largest, room));
}
