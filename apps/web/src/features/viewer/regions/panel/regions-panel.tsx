import { HelpLink } from "../../../../components/help-link.tsx";
import { NextRunButton } from "../../annotations/panel/next-run-button.tsx";
import { UndoButtons } from "../../annotations/undo-buttons.tsx";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useRegionCells, type RegionCells } from "../measures/use-region-cells.ts";
import { regionTexts } from "../texts.ts";
import { useRegions } from "../use-regions.ts";
import { FilesRow } from "./files-row.tsx";
import { NearSection } from "./near-section.tsx";
import { Brush, Eraser, LassoSelect, Pentagon, Ruler, Spline } from "lucide-react";
import { ToolButtons } from "../../../../components/tool-buttons.tsx";
import { Segmented } from "../../../../components/segmented.tsx";
import { isRegionTool, type RegionTool } from "../../state/region-work.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { setRegionWork, addRegions, regionValues } from "../change-regions.ts";
import { Button } from "../../../../components/button.tsx";
import { SplitButton } from "../../../../project/pieces/split-button.tsx";
import { pieceTexts } from "../../../../project/pieces/texts.ts";
import { usePieces } from "../../../../project/pieces/use-pieces.ts";
import { PanelSection } from "../../selection/panel/section.tsx";
import { nextGroupColor } from "../../selection/selection-actions.ts";
import type { RegionValue } from "../region-shape.ts";
import { useState } from "react";
import { comparisonOf } from "../../selection/differential/comparison.ts";
import { RegionRow } from "./region-row.tsx";

const piecesTexts = regionTexts.pieces;
const TOOLS = [
  ["polygon", Pentagon],
  ["freehand", LassoSelect],
  ["brush", Brush],
  ["eraser", Eraser],
  ["corners", Spline],
  ["ruler", Ruler],
] as const;
/** µm */
const BRUSH = { min: 1, max: 2000 };
const texts = regionTexts.panel;

/** The project's regions: drawn, imported, named, measured, and compared. */
export function RegionsPanel() {
  const status = useAnnotations((state) => state.status);
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const problem = useAnnotations((state) => state.problem);
  const regions = useRegions();
  const found = useRegionCells(regions);
  return (
    <div className="flex flex-col gap-5">
      <DrawSection />
      {problem && (
        <p role="status" className="text-[0.8125rem] text-bad">
          {problem}
        </p>
      )}
      {mayEdit && (
        <div className="flex items-center gap-1.5">
          <UndoButtons />
          <HelpLink page="regions" className="ml-auto" />
        </div>
      )}
      {regions.length > 0 ? (
        <RegionList regions={found} />
      ) : (
        <p className="text-[0.8125rem] text-ink-2">
          {status === "loading" ? texts.loading : mayEdit ? texts.empty : texts.emptyReadOnly}
        </p>
      )}
      {mayEdit && regions.length > 0 && (
        <p>
          <NextRunButton />
        </p>
      )}
      <FilesRow />
      {mayEdit && <PiecesSection />}
      <NearSection />
    </div>
  );
}

/** What draws regions, and the ruler, which everyone may use. */
function DrawSection() {
  const { store } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const tool = useViewerState((state) => state.tool);
  const { change, brushUm } = useViewerState((state) => state.regionWork);
  const isOwn = (name: string): name is RegionTool | "ruler" =>
    isRegionTool(name) || name === "ruler";
  const paints = tool === "brush" || tool === "eraser";
  const title = mayEdit ? regionTexts.tools : regionTexts.measure;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-[0.8125rem] font-semibold">{title}</h3>
      <ToolButtons
        className="flex flex-wrap gap-1.5"
        buttonClass="grid size-9 place-items-center rounded-control border aria-pressed:border-primary"
        label={title}
        tools={TOOLS.filter(([one]) => mayEdit || one === "ruler")}
        pressed={tool}
        names={regionTexts.toolNames}
        keys={regionTexts.toolKeys}
        onPress={(one) => store.setState({ tool: tool === one ? "pan" : one })}
      />
      {isOwn(tool) && <p className="text-[0.8125rem] text-ink-2">{regionTexts.toolHints[tool]}</p>}
      {(tool === "polygon" || tool === "freehand") && (
        <Segmented
          label={regionTexts.change}
          names={regionTexts.changes}
          value={change}
          onChange={(next) => setRegionWork(store, { change: next })}
        />
      )}
      {paints && (
        <label className="flex items-center justify-between gap-2 text-[0.8125rem]">
          {regionTexts.brush}
          <input
            type="number"
            {...BRUSH}
            defaultValue={brushUm}
            onChange={({ target: { valueAsNumber: um } }) => {
              if (um >= BRUSH.min && um <= BRUSH.max) setRegionWork(store, { brushUm: um });
            }}
            className="h-8 w-24 rounded-control border border-line-input bg-card px-2"
          />
        </label>
      )}
    </section>
  );
}

/** Proposes the pieces of tissue on the slide as regions, or as samples of their own; nothing if there is one. */
function PiecesSection() {
  const viewer = useViewer();
  const regions = useRegions();
  const found = usePieces(viewer.projectId, true);
  const names = new Set(regions.map(({ value }) => value.name));
  const missing = found.pieces.filter(({ name }) => !names.has(name));
  if (found.pieces.length === 0) return null;

  function show(): void {
    const added: RegionValue[] = [];
    for (const { name, polygons } of missing) {
      const color = nextGroupColor([...regionValues(viewer.annotations), ...added]);
      added.push({ name, class: null, color, polygons, excluded: false });
    }
    addRegions(viewer, added);
  }

  return (
    <PanelSection title={piecesTexts.title}>
      <p className="text-[0.8125rem] text-ink-2">
        {pieceTexts.found(found.pieces.length)} {pieceTexts.hint}
      </p>
      <div className="flex flex-wrap gap-1.5">
        {missing.length > 0 && (
          <Button size="sm" onClick={show}>
            {piecesTexts.show}
          </Button>
        )}
        <SplitButton projectId={viewer.projectId} found={found} />
      </div>
    </PanelSection>
  );
}

/** All regions, and the way to the comparison of two. */
function RegionList({ regions }: { regions: readonly RegionCells[] }) {
  const { store } = useViewer();
  const [removed, setRemoved] = useState<string | null>(null);

  function compare(): void {
    const [a, b] = regions;
    comparisonOf(store).setState({ a: `region:${a!.id}`, b: `region:${b!.id}` });
    store.setState({ panel: "differential" });
  }

  return (
    <PanelSection
      title={texts.list}
      aside={
        regions.length > 1 && (
          <Button size="sm" variant="ghost" onClick={compare}>
            {regionTexts.compare}
          </Button>
        )
      }
    >
      <ul className="-mx-2">
        {regions.map((region) => (
          <RegionRow
            key={region.id}
            region={region}
            onRemoved={() => setRemoved(region.value.name)}
          />
        ))}
      </ul>
      {removed && (
        <p role="status" className="text-[0.8125rem] text-ink-2">
          {texts.removed(removed)}
        </p>
      )}
    </PanelSection>
  );
}
