import { MousePointerClick, Pencil } from "lucide-react";
import type { Ref } from "react";
import { CoveringInput } from "../../../components/covering-input.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { cellsOfGroup } from "../selection/cell-choices.ts";
import { selectCells } from "../selection/selection-actions.ts";
import { selectionTexts } from "../selection/texts.ts";
import { viewerTexts } from "../texts.ts";
import type { ShownGroup } from "../state/shown-groups.ts";
import type { GroupEdit } from "../state/shown-state.ts";
import { toggled } from "../state/toggled.ts";
import type { Grouping } from "@stipple/viewer/choices";
import { useHiddenGroups, useViewer } from "../state/viewer-context.tsx";
import { editGroup, setHidden } from "../state/viewer-store.ts";
import { NameColorForm } from "./name-color-form.tsx";
import { useEditing } from "./use-editing.ts";

interface GroupRowProps {
  of: Grouping;
  groups: readonly ShownGroup[];
  index: number;
}

/** One group, with those that are merged in it: toggled, isolated, or being renamed. */
export function GroupRow({ of, groups, index }: GroupRowProps) {
  const { manifest, store } = useViewer();
  const hidden = useHiddenGroups()[of];
  const { isEditing, pencil, edit, stop } = useEditing();
  const { name, color, count } = groups[index]!;
  const members = groups.filter((one) => one.name === name).map((one) => one.originalName);
  const originals = members.join(" + ");
  const isHidden = hidden.includes(index);
  /** Merged groups are changed together. */
  const editAll = (change: (member: string) => GroupEdit): void => {
    for (const member of members) editGroup(store, of, member, change(member));
  };
  if (isEditing) {
    return (
      <li>
        <NameColorForm
          name={name}
          color={{
            value: color,
            label: viewerTexts.colorOf(name),
            onChange: (next) => editAll(() => ({ color: next })),
          }}
          nameLabel={viewerTexts.nameOf(originals)}
          maxLength={80}
          onName={(next) => editAll((member) => ({ name: next === member ? "" : next }))}
          onDone={stop}
        />
      </li>
    );
  }
  return (
    <li className="group relative flex items-center gap-1 rounded-control pr-2 hover:bg-raised">
      <label
        className="relative flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 py-1.5 pl-2"
        title={name === originals ? name : `${name} (${originals})`}
      >
        <CoveringInput
          type="checkbox"
          checked={!isHidden}
          onChange={() => setHidden(store, of, namesOf(groups, toggled(hidden, index)))}
        />
        <span
          aria-hidden
          className="size-3.5 shrink-0 rounded-[4px] border ring-1 ring-line peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary"
          style={{ borderColor: color, backgroundColor: isHidden ? "transparent" : color }}
        />
        <span
          className={joinClasses("min-w-0 flex-1 truncate", isHidden && "text-ink-3 line-through")}
        >
          {name}
        </span>
      </label>
      <RowActions of={of} groups={groups} index={index} onEdit={edit} pencil={pencil} />
      <span className="w-14 shrink-0 text-right text-[0.8125rem] text-ink-2 pointer-coarse:sm:w-auto pointer-coarse:sm:min-w-9">
        {count.toLocaleString("en-US")}
      </span>
      {/* On tablets, what can be done stands in the row, and its name needs the rest. */}
      <span className="w-11 shrink-0 text-right text-xs text-ink-3 pointer-coarse:sm:hidden">
        {manifest.nCells > 0 && `${((100 * count) / manifest.nCells).toFixed(1)}%`}
      </span>
    </li>
  );
}

/** What can be done with a group, shown while the pointer or the focus is in its row. */
function RowActions({
  of,
  groups,
  index,
  onEdit,
  pencil,
}: GroupRowProps & { onEdit: () => void; pencil: Ref<HTMLButtonElement> }) {
  const { cells, store } = useViewer();
  const { name } = groups[index]!;
  const others = [...groups.keys()].filter((other) => other !== index);
  return (
    <span className="absolute right-14 flex items-center rounded bg-raised opacity-0 group-hover:opacity-100 has-focus-visible:opacity-100 pointer-coarse:static pointer-coarse:opacity-100">
      <button
        type="button"
        aria-label={viewerTexts.onlyOf(name)}
        onClick={() => setHidden(store, of, namesOf(groups, others))}
        className="h-6 rounded px-2 text-xs font-medium text-primary"
      >
        {viewerTexts.only}
      </button>
      <IconButton
        size="sm"
        icon={MousePointerClick}
        label={selectionTexts.selectGroup(name)}
        onClick={() => selectCells(store, cellsOfGroup(cells[of]!, of, index))}
      />
      <IconButton
        ref={pencil}
        size="sm"
        icon={Pencil}
        label={viewerTexts.editGroup(name)}
        onClick={onEdit}
      />
    </span>
  );
}

function namesOf(groups: readonly ShownGroup[], indices: readonly number[]): string[] {
  return indices.map((index) => groups[index]!.originalName);
}
