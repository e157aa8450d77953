import { useRef, useState, useMemo } from "react";
import { Button } from "../../../../components/button.tsx";
import { useRemoved } from "./use-removed.tsx";
import { selectionTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { removeGroup, setSelection, changeGroup, selectCells } from "../selection-actions.ts";
import { PanelSection } from "./section.tsx";
import { CellChoiceSelect } from "../cell-choice-select.tsx";
import { choiceOf, useCellChoices } from "../cell-choices.ts";
import { difference, intersection, union, type CellSet } from "@stipple/viewer/cells";
import { Pencil, RefreshCw, Trash2 } from "lucide-react";
import { IconButton } from "../../../../components/icon-button.tsx";
import { Swatch } from "../../../../components/swatch.tsx";
import { NameColorForm } from "../../facets/name-color-form.tsx";
import { useEditing } from "../../facets/use-editing.ts";
import type { NamedGroup } from "../../state/viewer-store.ts";
import { MAX_NAME_LETTERS } from "../groups-json.ts";
import { Options } from "../../../../components/field.tsx";

const WAYS = { union, intersection, difference } as const satisfies Record<
  string,
  (a: CellSet, b: CellSet) => CellSet
>;
const texts = selectionTexts.groups;

/** The user's named groups, and combinations of two sets. */
export function GroupsSection() {
  const { store } = useViewer();
  const groups = useViewerState((state) => state.groups);
  const colored = useViewerState((state) => state.colorBy === "groups");
  const { note, tellRemoved } = useRemoved();
  const list = useRef<HTMLUListElement>(null);
  return (
    <PanelSection
      title={texts.title}
      aside={
        groups.length > 0 && (
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={colored}
            onClick={() => store.setState({ colorBy: colored ? "type" : "groups" })}
            className="aria-pressed:bg-primary-tint aria-pressed:text-primary"
          >
            {texts.colorBy}
          </Button>
        )
      }
    >
      {groups.length === 0 && !note && <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>}
      {groups.length > 0 && (
        <ul ref={list} className="-mx-2">
          {groups.map((group) => (
            <NamedGroupRow
              key={group.id}
              group={group}
              onRemove={() => {
                const bringBack = removeGroup(store, group);
                tellRemoved({
                  text: texts.removed(group.name),
                  restore() {
                    bringBack();
                    requestAnimationFrame(() => list.current?.querySelector("button")?.focus());
                  },
                });
              }}
            />
          ))}
        </ul>
      )}
      {note}
      <CombineGroups />
    </PanelSection>
  );
}

type Way = keyof typeof WAYS;

/** Selects the union, intersection, or difference of two sets of cells. */
function CombineGroups() {
  const { store } = useViewer();
  const sections = useCellChoices();
  const [first, setFirst] = useState("");
  const [second, setSecond] = useState("");
  const [way, setWay] = useState<Way>("union");
  const a = choiceOf(sections, first);
  const b = choiceOf(sections, second);
  const result = useMemo(() => a && b && WAYS[way](a.cells(), b.cells()), [a, b, way]);
  return (
    <details>
      <summary className="w-fit rounded py-1 text-[0.8125rem] font-medium text-primary">
        {texts.combine}
      </summary>
      <div className="mt-1 flex flex-col gap-2 rounded-control bg-raised p-3">
        <CellChoiceSelect
          label={texts.first}
          sections={sections}
          value={first}
          onChange={setFirst}
        />
        <select
          aria-label={texts.how}
          value={way}
          onChange={(event) => setWay(event.target.value as Way)}
          className="h-9 rounded-control border border-line-input bg-card px-3 text-ink"
        >
          <Options of={Object.entries(texts.ways)} />
        </select>
        <CellChoiceSelect
          label={texts.second}
          sections={sections}
          value={second}
          onChange={setSecond}
        />
        <div className="flex items-center justify-between gap-2">
          <span role="status" className="text-[0.8125rem] text-ink-2">
            {result && texts.result(result.count)}
          </span>
          <Button
            size="sm"
            disabled={!result || result.count === 0}
            onClick={() => result && setSelection(store, result)}
          >
            {texts.select}
          </Button>
        </div>
      </div>
    </details>
  );
}

/** One named group; clicking it selects its cells. */
function NamedGroupRow({ group, onRemove }: { group: NamedGroup; onRemove: () => void }) {
  const { store } = useViewer();
  const selection = useViewerState((state) => state.selection);
  const { isEditing, pencil, edit, stop } = useEditing();
  const { id, name, color, cells } = group;
  if (isEditing)
    return (
      <li>
        <NameColorForm
          name={name}
          color={{
            value: color,
            label: texts.newColor(name),
            onChange: (next) => changeGroup(store, id, { color: next }),
          }}
          nameLabel={texts.newName(name)}
          maxLength={MAX_NAME_LETTERS}
          onName={(next) => changeGroup(store, id, { name: next })}
          onDone={stop}
        />
      </li>
    );
  return (
    <li className="flex items-center gap-0.5 rounded-control pr-1 hover:bg-raised">
      <button
        type="button"
        title={texts.show(name)}
        onClick={() => selectCells(store, cells)}
        className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 pl-2 text-left"
      >
        <Swatch color={color} className="size-3.5 shrink-0 rounded-[4px]" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <span className="shrink-0 pr-1 text-[0.8125rem] text-ink-2">
          {cells.count.toLocaleString("en-US")}
        </span>
      </button>
      {selection && selection !== cells && (
        <IconButton
          size="sm"
          icon={RefreshCw}
          label={texts.replace(name)}
          onClick={() => changeGroup(store, id, { cells: selection })}
        />
      )}
      <IconButton size="sm" ref={pencil} icon={Pencil} label={texts.edit(name)} onClick={edit} />
      <IconButton size="sm" icon={Trash2} label={texts.remove(name)} onClick={onRemove} />
    </li>
  );
}
