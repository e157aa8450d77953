import { Button } from "../../../../components/button.tsx";
import { SplitButton } from "../../../../project/pieces/split-button.tsx";
import { pieceTexts } from "../../../../project/pieces/texts.ts";
import { usePieces } from "../../../../project/pieces/use-pieces.ts";
import { PanelSection } from "../../selection/panel/section.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { addRegions, nextColor, regionValues } from "../change-regions.ts";
import type { RegionValue, ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";

const texts = regionTexts.pieces;

/** Proposes the pieces of tissue on the slide as regions, or as samples of their own; nothing if there is one. */
export function PiecesSection({ regions }: { regions: readonly ViewRegion[] }) {
  const viewer = useViewer();
  const found = usePieces(viewer.projectId, true);
  const names = new Set(regions.map(({ value }) => value.name));
  const missing = found.pieces.filter(({ name }) => !names.has(name));
  if (found.pieces.length === 0) return null;

  function show(): void {
    const added: RegionValue[] = [];
    for (const { name, polygons } of missing) {
      const color = nextColor([...regionValues(viewer.annotations), ...added]);
      added.push({ name, class: null, color, polygons, excluded: false });
    }
    addRegions(viewer, added);
  }

  return (
    <PanelSection title={texts.title}>
      <p className="text-[0.8125rem] text-ink-2">
        {pieceTexts.found(found.pieces.length)} {pieceTexts.hint}
      </p>
      <div className="flex flex-wrap gap-1.5">
        {missing.length > 0 && (
          <Button size="sm" onClick={show}>
            {texts.show}
          </Button>
        )}
        <SplitButton projectId={viewer.projectId} found={found} />
      </div>
    </PanelSection>
  );
}
