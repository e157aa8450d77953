import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { openChannels, type ChannelLayers } from "@stipple/viewer";
import { KEPT } from "../../../project/view/query-options.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { channelChoices, drawnChannels } from "@stipple/viewer/source";

/** Fluorescence channels of the tissue; undefined for other stains, while loading, and if unreadable. */
export function useChannels() {
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
    ...KEPT,
    queryFn: () => openChannels(source),
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
    const onTileError = () => setTileFailed(true);
    const onComplete = () => setComplete(true);
    const look = { selections, choices, onTileError, onComplete };
    return { at: (opacity) => data(look, opacity), complete };
  }, [data, wanted, failed, selections, choices, complete]);
  return { layers, loading: wanted && !failed && !complete, failed: wanted && failed };
}
