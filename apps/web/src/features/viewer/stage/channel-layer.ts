import type { LayersList } from "@deck.gl/core";
import { ColorPaletteExtension } from "@vivjs/extensions";
import { MultiscaleImageLayer } from "@vivjs/layers";
import { loadOmeZarrFromStore } from "@vivjs/loaders";
import { apiErrorOf } from "../../../app/api.ts";
import { parseColor } from "../coloring/cell-colors.ts";
import type { ChannelChoice } from "../state/shown-state.ts";
import { triedAgain } from "./tried-again.ts";
import type { ChannelInput, ChannelPyramid } from "./use-channels.ts";

/** Opens the OME-Zarr pyramid under `url`. Rejects if it cannot be read. */
export async function openChannels(url: string): Promise<ChannelPyramid> {
  const { data } = await loadOmeZarrFromStore(zarrFiles(url));
  return data;
}

/** The files of a Zarr v2 group; files that exist only in v3 groups or for per-array attributes are not requested. */
function zarrFiles(url: string): Parameters<typeof loadOmeZarrFromStore>[0] {
  return {
    async get(key: string, options?: RequestInit) {
      if (key.endsWith("zarr.json") || (key.endsWith(".zattrs") && key !== "/.zattrs"))
        return undefined;
      return triedAgain(async () => {
        const response = await fetch(`${url}${key}`, options);
        if (response.status === 404) return undefined;
        if (!response.ok) throw await apiErrorOf(response);
        return new Uint8Array(await response.arrayBuffer());
      }, options?.signal);
    },
  };
}

const PALETTE = [new ColorPaletteExtension()];

/** The channels as tissue layers, each in its color, blended additively. */
export function channelLayers(
  { pyramid, selections, drawn, choices, onTileError, onComplete }: ChannelInput,
  opacity: number,
): LayersList {
  const shown = drawn.map((index) => choices[index]!);
  return [
    new MultiscaleImageLayer({
      id: "channels",
      loader: pyramid,
      selections,
      colors: shown.map(({ color }: ChannelChoice) => [...parseColor(color)]),
      contrastLimits: shown.map(({ low, high }) => [low, high]),
      channelsVisible: shown.map(({ visible }) => visible),
      extensions: PALETTE,
      // Tiles of another level serve as placeholders even where the image is not opaque.
      refinementStrategy: "best-available",
      opacity,
      pickable: false,
      maxRequests: 4,
      onTileError,
      onViewportLoad: onComplete,
    } as never),
  ];
}
