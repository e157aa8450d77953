import type { CellColoring } from "../../coloring/use-coloring.ts";
import { useViewerState, useViewer } from "../../state/viewer-context.tsx";
import { ExportSection } from "../export/export-section.tsx";
import { AssignSection } from "./assign-section.tsx";
import { CompositionSection } from "./composition-section.tsx";
import { GroupsSection } from "./groups-section.tsx";
import { MediansSection } from "./medians-section.tsx";
import { Undo2 } from "lucide-react";
import { Button } from "../../../../components/button.tsx";
import { Segmented } from "../../../../components/segmented.tsx";
import { selectionTexts } from "../texts.ts";
import {
  invertSelection,
  setSelection,
  shownCells,
  undoSelection,
  addGroup,
  nextGroupColor,
} from "../selection-actions.ts";
import { useState } from "react";
import { Input } from "../../../../components/field.tsx";
import { useToast } from "../../../../components/toast-store.ts";
import type { CellSet } from "@stipple/viewer/cells";
import { MAX_NAME_LETTERS } from "../groups-json.ts";

const groupsTexts = selectionTexts.groups;
const texts = selectionTexts.panel;

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

/** The number of selected cells, and selection actions that do not involve drawing. */
function SelectionHead({ rgba }: { rgba: Uint8Array }) {
  const { store, manifest } = useViewer();
  const selection = useViewerState((state) => state.selection);
  const combine = useViewerState((state) => state.combine);
  const canUndo = useViewerState((state) => state.earlierSelections.length > 0);
  return (
    <div className="flex flex-col gap-3">
      {selection ? (
        <p>
          <b className="text-base">{texts.ofAll(selection.count, manifest.nCells)}</b>
          <span className="block text-[0.8125rem] text-ink-3">
            {texts.share(selection.count / manifest.nCells)}
          </span>
        </p>
      ) : (
        <p className="text-[0.8125rem] text-ink-2">{texts.empty}</p>
      )}
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="sm"
          title={texts.allHint}
          onClick={() => setSelection(store, shownCells(rgba, store.getState()))}
        >
          {texts.all}
        </Button>
        <Button
          size="sm"
          title={texts.invertHint}
          onClick={() => invertSelection(store, shownCells(rgba, store.getState()))}
        >
          {texts.invert}
        </Button>
        <Button size="sm" disabled={!selection} onClick={() => setSelection(store, null)}>
          {texts.clear}
        </Button>
        <Button
          size="sm"
          title={texts.undoHint}
          disabled={!canUndo}
          icon={Undo2}
          onClick={() => undoSelection(store)}
        >
          {texts.undo}
        </Button>
      </div>
      <Segmented
        label={selectionTexts.combine}
        names={selectionTexts.combineShort}
        value={combine}
        onChange={(next) => store.setState({ combine: next })}
      />
    </div>
  );
}

/** Saves the selected cells as a group with a name and a color. */
function SaveGroupForm({ cells }: { cells: CellSet }) {
  const { store } = useViewer();
  const toast = useToast();
  const groups = useViewerState((state) => state.groups);
  const [name, setName] = useState("");
  const [color, setColor] = useState<string | null>(null);
  const proposed = groupsTexts.defaultName(1 + Math.max(0, ...groups.map(({ id }) => id)));
  const chosen = color ?? nextGroupColor(groups);
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const group = addGroup(store, { name: name.trim() || proposed, color: chosen, cells });
        toast(groupsTexts.saved(group.name, cells.count), { ok: true });
        setName("");
        setColor(null);
      }}
    >
      <input
        type="color"
        aria-label={groupsTexts.color}
        value={chosen}
        onChange={(event) => setColor(event.target.value)}
        className="size-9 shrink-0 cursor-pointer rounded border border-line-input bg-card p-0.5"
      />
      <Input
        aria-label={groupsTexts.name}
        value={name}
        placeholder={proposed}
        maxLength={MAX_NAME_LETTERS}
        onChange={(event) => setName(event.target.value)}
        className="h-9! min-w-0 flex-1"
      />
      <Button type="submit" size="sm" variant="primary" className="h-9!">
        {groupsTexts.save}
      </Button>
    </form>
  );
}
