import type { LayersList } from "@deck.gl/core";
import type { ChannelChoice } from "../choices.ts";
import type { ViewSource } from "../source/source.ts";
import type { LayerInput } from "./layer-input.ts";

/** How the channels are drawn now. */
export interface ChannelLook {
  /** Index of each drawn channel in the pyramid; reusing the same array avoids refetching. */
  selections: readonly { c: number }[];
  /** One per channel of the manifest. */
  choices: readonly ChannelChoice[];
  onTileError: () => void;
  /** All tiles in view are drawn. */
  onComplete: () => void;
}

export interface ChannelLayers {
  /** Creates the channel layers at a given opacity. */
  at: (opacity: number) => LayersList;
  /** Their first picture is complete; until then the prepared image stays below them. */
  complete: boolean;
}

/** Opens the fluorescence channels, and loads what draws them. Rejects if they cannot be read. */
export async function openChannels(
  source: ViewSource,
): Promise<(look: ChannelLook, opacity: number) => LayersList> {
  const { channelLayers, openPyramid } = await import("./channel-layers.ts");
  const pyramid = await openPyramid(source);
  return (look, opacity) => channelLayers(pyramid, look, opacity);
}

/** Fluorescence channels over the tissue's tiles. */
export function channels({ view, choices, channels: opened }: LayerInput) {
  return view === "tissue" && choices.tissue && opened?.at(choices.tissueOpacity);
}
