import type { CellColoring } from "../../coloring/use-coloring.ts";
import { useViewerState } from "../../state/viewer-context.tsx";
import { ExportSection } from "../export/export-section.tsx";
import { AssignSection } from "./assign-section.tsx";
import { CompositionSection } from "./composition-section.tsx";
import { GroupsSection } from "./groups-section.tsx";
import { MediansSection } from "./medians-section.tsx";
import { SaveGroupForm } from "./save-group-form.tsx";
import { SelectionHead } from "./selection-head.tsx";

/** The selection, its composition, and what can be done with it. */
export function SelectionPanel({ coloring }: { coloring: CellColoring }) {
  const selection = useViewerState((state) => state.selection);
  return (
    <div className="flex flex-col gap-5">
      <SelectionHead rgba={coloring.rgba} />
      {selection && <SaveGroupForm cells={selection} />}
      {selection && <AssignSection selection={selection} />}
      <GroupsSection />
      {selection && <CompositionSection selection={selection} />}
      {selection && <MediansSection selection={selection} />}
      <ExportSection coloring={coloring} />
    </div>
  );
}
