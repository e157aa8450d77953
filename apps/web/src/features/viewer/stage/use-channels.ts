import type { LayersList } from "@deck.gl/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ChannelChoice } from "../state/shown-state.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { channelChoices, drawnChannels } from "./channel-choices.ts";

/** An image pyramid as Viv reads it, largest level first. */
export type ChannelPyramid = readonly object[];

export interface ChannelInput {
  pyramid: ChannelPyramid;
  /** Index of each drawn channel in the pyramid; reusing the same array avoids refetching. */
  selections: readonly { c: number }[];
  drawn: readonly number[];
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

/** Fluorescence channels of the tissue; undefined for other stains, while loading, and if unreadable. */
export function useChannels(): {
  layers: ChannelLayers | undefined;
  loading: boolean;
  failed: boolean;
} {
  const { source, manifest, projectId } = useViewer();
  const wanted = useViewerState(
    ({ layers, arrangement }) =>
      layers.tissue && arrangement !== "umap" && manifest.channels !== null,
  );
  const chosen = useViewerState((state) => state.channels);
  const [tileFailed, setTileFailed] = useState(false);
  const [complete, setComplete] = useState(false);
  // Retry when they are shown again.
  if (tileFailed && !wanted) setTileFailed(false);
  const loaded = useQuery({
    queryKey: ["viewer-channels", projectId],
    enabled: wanted,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    queryFn: async () => {
      const { openChannels, channelLayers } = await import("./channel-layer.ts");
      return {
        channelLayers,
        pyramid: await openChannels(source.fileUrl(manifest.channels!.path)),
      };
    },
  });
  const choices = useMemo(() => channelChoices(manifest, chosen), [manifest, chosen]);
  const drawnKey = drawnChannels(choices).join();
  const selections = useMemo(
    () => (drawnKey === "" ? [] : drawnKey.split(",").map((c) => ({ c: Number(c) }))),
    [drawnKey],
  );
  const { data } = loaded;
  const failed = loaded.isError || tileFailed;
  const layers = useMemo((): ChannelLayers | undefined => {
    if (!data || !wanted || failed) return undefined;
    const { pyramid, channelLayers } = data;
    const drawn = selections.map(({ c }) => c);
    const onTileError = () => setTileFailed(true);
    const onComplete = () => setComplete(true);
    const input = { pyramid, selections, drawn, choices, onTileError, onComplete };
    return { at: (opacity) => channelLayers(input, opacity), complete };
  }, [data, wanted, failed, selections, choices, complete]);
  return { layers, loading: wanted && !failed && !complete, failed: wanted && failed };
}
