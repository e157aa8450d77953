import type { LayerChoices } from "@stipple/viewer/choices";
import { Suspense } from "react";
import { lazyPart } from "../../../app/load-code.ts";
import { viewerTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { stageTexts } from "../stage/texts.ts";
import { setLayers } from "../state/viewer-store.ts";

/** Only fluorescence images have channels. */
const ChannelSection = lazyPart(() => import("./channel-section.tsx"), "ChannelSection");

/** Which layers are shown, and their opacities. */
export function DisplaySection() {
  const { manifest, store } = useViewer();
  const choices = useViewerState((state) => state.layers);
  const showsTissue = useViewerState((state) => state.arrangement !== "umap");
  const showsUmap = useViewerState((state) => state.arrangement !== "tissue");
  const onChange = (part: Partial<LayerChoices>) => setLayers(store, part);
  return (
    <section aria-label={viewerTexts.display} className="flex flex-col gap-1">
      <h2 className="mb-1 text-[0.8125rem] font-medium text-ink-2">{viewerTexts.display}</h2>
      {showsTissue && (
        <Row
          label={viewerTexts.tissueImage}
          checked={choices.tissue}
          onCheck={(tissue) => onChange({ tissue })}
          value={choices.tissueOpacity}
          onValue={(tissueOpacity) => onChange({ tissueOpacity })}
        />
      )}
      <Row
        label={viewerTexts.cellsLayer}
        checked={choices.cells}
        onCheck={(cells) => onChange({ cells })}
        value={choices.cellOpacity}
        onValue={(cellOpacity) => onChange({ cellOpacity })}
      />
      {showsTissue && <OutlineRows choices={choices} onChange={onChange} />}
      {showsTissue && manifest.nSpots > 0 && <SpotRows choices={choices} onChange={onChange} />}
      {showsUmap && (
        <Row
          label={viewerTexts.labels}
          checked={choices.labels}
          onCheck={(labels) => onChange({ labels })}
        />
      )}
      <label className="flex h-8 items-center justify-between gap-3">
        <span className="pl-[1.625rem]">{viewerTexts.pointSize}</span>
        <input
          type="range"
          min={0.4}
          max={2.5}
          step={0.1}
          value={choices.pointSize}
          onChange={(event) => onChange({ pointSize: Number(event.target.value) })}
          className="w-24 accent-primary"
        />
      </label>
      {manifest.channels && showsTissue && (
        <Suspense fallback={null}>
          <ChannelSection />
        </Suspense>
      )}
    </section>
  );
}

interface RowsProps {
  choices: LayerChoices;
  onChange: (part: Partial<LayerChoices>) => void;
}

function OutlineRows({ choices, onChange }: RowsProps) {
  const { manifest } = useViewer();
  return (
    <>
      <Row
        label={viewerTexts.outlines}
        checked={choices.outlines}
        onCheck={(outlines) => onChange({ outlines })}
      />
      {choices.outlines && (
        <div className="pl-[1.625rem]">
          <Row
            label={viewerTexts.fill}
            checked={choices.fill}
            onCheck={(fill) => onChange({ fill })}
          />
          {manifest.columns["nuclei.offsets"] && (
            <Row
              label={viewerTexts.nuclei}
              checked={choices.nuclei}
              onCheck={(nuclei) => onChange({ nuclei })}
            />
          )}
        </div>
      )}
    </>
  );
}

/** Spots or bins, which a comparison always shows. */
function SpotRows({ choices, onChange }: RowsProps) {
  const { manifest, store } = useViewer();
  const compares = useViewerState((state) => state.swipe !== null);
  const isBins = manifest.binSidePx !== null;
  return (
    <>
      <Row
        label={isBins ? stageTexts.bins : stageTexts.spots}
        checked={choices.spots || compares}
        disabled={compares}
        onCheck={(spots) => onChange({ spots })}
        value={choices.spotOpacity}
        onValue={(spotOpacity) => onChange({ spotOpacity })}
      />
      <Row
        label={stageTexts.compare(isBins)}
        checked={compares}
        onCheck={(compare) => store.setState({ swipe: compare ? 0.5 : null })}
      />
    </>
  );
}

function Row({
  label,
  checked,
  disabled = false,
  onCheck,
  value,
  onValue,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onCheck: (checked: boolean) => void;
  /** Opacity, 0–1; no slider if undefined. */
  value?: number;
  onValue?: (value: number) => void;
}) {
  return (
    <div className="flex h-8 items-center justify-between gap-3">
      <label className="flex cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onCheck(event.target.checked)}
          className="size-4 accent-primary"
        />
        {label}
      </label>
      {value !== undefined && onValue && (
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={value}
          disabled={!checked}
          aria-label={viewerTexts.opacity(label.toLowerCase())}
          onChange={(event) => onValue(Number(event.target.value))}
          className="w-24 accent-primary disabled:opacity-40"
        />
      )}
    </div>
  );
}
