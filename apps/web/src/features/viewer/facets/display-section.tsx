import type { ReactNode } from "react";
import { lazyPart } from "../../../app/load-code.ts";
import { Checkbox } from "../../../components/checkbox.tsx";
import { LazyBoundary } from "../../../components/lazy-boundary.tsx";
import { viewerTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { stageTexts } from "../stage/texts.ts";
import { setLayers } from "../state/viewer-store.ts";

/** Only fluorescence images have channels. */
const ChannelSection = lazyPart(() => import("./channel-section.tsx"), "ChannelSection");

/** Which layers are shown, and their opacities. */
export function DisplaySection() {
  const { manifest, store } = useViewer();
  const { outlines, pointSize } = useViewerState((state) => state.layers);
  const showsTissue = useViewerState((state) => state.arrangement !== "umap");
  const showsUmap = useViewerState((state) => state.arrangement !== "tissue");
  return (
    <section aria-label={viewerTexts.display} className="flex flex-col gap-1">
      <h2 className="mb-1 text-[0.8125rem] font-medium text-ink-2">{viewerTexts.display}</h2>
      {showsTissue && (
        <LayerRow label={viewerTexts.tissueImage} layer="tissue" opacity="tissueOpacity" />
      )}
      <LayerRow label={viewerTexts.cellsLayer} layer="cells" opacity="cellOpacity" />
      {showsTissue && <LayerRow label={viewerTexts.outlines} layer="outlines" />}
      {showsTissue && outlines && (
        <div className="pl-[1.625rem]">
          <LayerRow label={viewerTexts.fill} layer="fill" />
          {manifest.columns["nuclei.offsets"] && (
            <LayerRow label={viewerTexts.nuclei} layer="nuclei" />
          )}
        </div>
      )}
      {showsTissue && manifest.nSpots > 0 && <SpotRows />}
      {showsUmap && <LayerRow label={viewerTexts.labels} layer="labels" />}
      <label className="flex h-8 items-center justify-between gap-3">
        <span className="pl-[1.625rem]">{viewerTexts.pointSize}</span>
        <input
          type="range"
          min={0.4}
          max={2.5}
          step={0.1}
          value={pointSize}
          onChange={({ target }) => setLayers(store, { pointSize: Number(target.value) })}
          className="w-24 accent-primary"
        />
      </label>
      {manifest.channels && showsTissue && (
        <LazyBoundary>
          <ChannelSection />
        </LazyBoundary>
      )}
    </section>
  );
}

/** Spots or bins, which a comparison always shows. */
function SpotRows() {
  const { manifest, store } = useViewer();
  const compares = useViewerState((state) => state.swipe !== null);
  const isBins = manifest.binSidePx !== null;
  return (
    <>
      <LayerRow
        label={isBins ? stageTexts.bins : stageTexts.spots}
        layer="spots"
        opacity="spotOpacity"
        always={compares}
      />
      <Row
        label={stageTexts.compare(isBins)}
        checked={compares}
        onCheck={(compare) => store.setState({ swipe: compare ? 0.5 : null })}
      />
    </>
  );
}

/** Shows a layer or not, and how opaque it is. */
function LayerRow({
  label,
  layer,
  opacity,
  always = false,
}: {
  label: string;
  layer: "tissue" | "cells" | "outlines" | "fill" | "nuclei" | "spots" | "labels";
  /** No slider if undefined. */
  opacity?: "tissueOpacity" | "cellOpacity" | "spotOpacity";
  /** It is shown whatever is chosen. */
  always?: boolean;
}) {
  const { store } = useViewer();
  const layers = useViewerState((state) => state.layers);
  const isShown = always || layers[layer];
  return (
    <Row
      label={label}
      checked={isShown}
      disabled={always}
      onCheck={(checked) => setLayers(store, { [layer]: checked })}
    >
      {opacity && (
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={layers[opacity]}
          disabled={!isShown}
          aria-label={viewerTexts.opacity(label.toLowerCase())}
          onChange={({ target }) => setLayers(store, { [opacity]: Number(target.value) })}
          className="w-24 accent-primary disabled:opacity-40"
        />
      )}
    </Row>
  );
}

function Row({
  label,
  checked,
  disabled = false,
  onCheck,
  children,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onCheck: (checked: boolean) => void;
  children?: ReactNode;
}) {
  return (
    <div className="flex h-8 items-center justify-between gap-3">
      <Checkbox className="gap-2.5" {...{ checked, disabled, onCheck }}>
        {label}
      </Checkbox>
      {children}
    </div>
  );
}
