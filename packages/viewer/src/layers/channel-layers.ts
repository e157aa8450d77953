import type { LayersList } from "@deck.gl/core";
import { ColorPaletteExtension } from "@vivjs/extensions";
import { MultiscaleImageLayer } from "@vivjs/layers";
import { loadOmeZarrFromStore } from "@vivjs/loaders";
import { parseColor } from "../cells/cell-colors.ts";
import type { ViewSource } from "../source/source.ts";
import { withRetries } from "../source/with-retries.ts";
import type { ChannelLook } from "./channels.ts";

/** An image pyramid as Viv reads it, largest level first. */
export type ChannelPyramid = readonly object[];

/** Opens the OME-Zarr pyramid of a view's channels. Rejects if it cannot be read. */
export async function openPyramid(source: ViewSource): Promise<ChannelPyramid> {
  const { data } = await loadOmeZarrFromStore(zarrFiles(source));
  return data;
}

/** The files of a Zarr v2 group; files that exist only in v3 groups or for per-array attributes are not requested. */
function zarrFiles(source: ViewSource): Parameters<typeof loadOmeZarrFromStore>[0] {
  const { path } = source.manifest.channels!;
  return {
    async get(key: string, options?: RequestInit) {
      if (key.endsWith("zarr.json") || (key.endsWith(".zattrs") && key !== "/.zattrs"))
        return undefined;
      const { signal } = options ?? {};
      return withRetries(() => source.file(`${path}${key}`, signal), signal);
    },
  };
}

const PALETTE = [new ColorPaletteExtension()];

/** The channels as tissue layers, each in its color, blended additively. */
export function channelLayers(
  pyramid: ChannelPyramid,
  { selections, choices, onTileError, onComplete }: ChannelLook,
  opacity: number,
): LayersList {
  const shown = selections.map(({ c }) => choices[c]!);
  return [
    new MultiscaleImageLayer({
      id: "channels",
      loader: pyramid,
      selections,
      colors: shown.map(({ color }) => [...parseColor(color)]),
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
