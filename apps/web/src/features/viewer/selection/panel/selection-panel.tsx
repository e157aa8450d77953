import type { CellColoring } from "../../coloring/use-coloring.ts";
import { useHiddenGroups, useViewerState, useViewer } from "../../state/viewer-context.tsx";
import { ExportSection } from "../export/export-section.tsx";
import { AssignSection } from "./assign-section.tsx";
import { CompositionSection } from "./composition-section.tsx";
import { GroupsSection } from "./groups-section.tsx";
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
import { useState, useDeferredValue, useMemo } from "react";
import { firstFreeName } from "../../state/free-names.ts";
import { Input } from "../../../../components/field.tsx";
import { toast } from "../../../../components/toast-store.ts";
import { cellsOf, valueText, type CellSet } from "@stipple/viewer/cells";
import { MAX_NAME_LETTERS } from "../groups-json.ts";
import { CELL_MEASURES, type CellMeasure } from "@stipple/contract/viewer-manifest";
import { viewerTexts } from "../../texts.ts";
import { useMeasure } from "../../data/use-values.ts";
import { countOfNumbers, median } from "./median.ts";
import { PanelSection } from "./section.tsx";

const measuresTexts = selectionTexts.measures;
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
  const hidden = useHiddenGroups();
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
          onClick={() => setSelection(store, shownCells(rgba, hidden))}
        >
          {texts.all}
        </Button>
        <Button
          size="sm"
          title={texts.invertHint}
          onClick={() => invertSelection(store, shownCells(rgba, hidden))}
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
  const groups = useViewerState((state) => state.groups);
  const [name, setName] = useState("");
  const [color, setColor] = useState<string | null>(null);
  const proposed = firstFreeName(
    groups.map((group) => group.name),
    groupsTexts.defaultName,
  );
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

/** Median of every measure within the selection, next to that of all cells. */
function MediansSection({ selection }: { selection: CellSet }) {
  const { manifest } = useViewer();
  const shown = useDeferredValue(selection);
  const members = useMemo(() => cellsOf(shown), [shown]);
  return (
    <PanelSection title={measuresTexts.title}>
      <table className="w-full text-[0.8125rem]">
        <caption className="sr-only">{measuresTexts.caption}</caption>
        <thead>
          <tr className="text-xs text-ink-3">
            <th scope="col" className="pb-1 text-left font-medium">
              {measuresTexts.measure}
            </th>
            <th scope="col" className="pb-1 pl-2 text-right font-medium">
              {selectionTexts.composition.within}
            </th>
            <th scope="col" className="pb-1 pl-2 text-right font-medium whitespace-nowrap">
              {selectionTexts.composition.overall}
            </th>
          </tr>
        </thead>
        <tbody>
          {CELL_MEASURES.filter((name) => manifest.columns[name]).map((name) => (
            <MeasureRow key={name} measure={name} members={members} />
          ))}
        </tbody>
      </table>
    </PanelSection>
  );
}

function MeasureRow({ measure, members }: { measure: CellMeasure; members: Uint32Array }) {
  const { data: values, isError } = useMeasure(measure);
  const within = useMemo(() => values && median(values, members), [values, members]);
  const known = useMemo(
    () => (values ? countOfNumbers(values, members) : members.length),
    [values, members],
  );
  const overall = useMemo(() => values && median(values), [values]);
  const shown = (value: number | null | undefined): string =>
    value === undefined
      ? isError
        ? measuresTexts.failed
        : "…"
      : value === null
        ? measuresTexts.none
        : valueText(value);
  return (
    <tr>
      <th scope="row" className="py-1 text-left font-normal">
        {viewerTexts.measures[measure]}
        {known < members.length && (
          <span className="block text-xs text-ink-3">
            {measuresTexts.known(known, members.length)}
          </span>
        )}
      </th>
      <td className="py-1 pl-2 text-right tabular-nums">{shown(within)}</td>
      <td className="py-1 pl-2 text-right text-ink-3 tabular-nums">
        {isError ? "" : shown(overall)}
      </td>
    </tr>
  );
}
