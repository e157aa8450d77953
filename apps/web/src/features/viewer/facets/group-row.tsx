import { MousePointerClick, Pencil } from "lucide-react";
import type { Ref } from "react";
import { CoveringInput } from "../../../components/covering-input.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { selectionTexts } from "../selection/texts.ts";
import { viewerTexts } from "../texts.ts";
import type { ShownGroup } from "../state/shown-groups.ts";
import type { GroupEdit } from "../state/shown-state.ts";
import type { Grouping } from "@stipple/viewer/choices";
import { useViewer } from "../state/viewer-context.tsx";
import { editGroup } from "../state/viewer-store.ts";
import { NameColorForm } from "./name-color-form.tsx";
import { useEditing } from "./use-editing.ts";

/** One group: toggled, isolated, or being renamed. */
export function GroupRow({
  of,
  group,
  members,
  hidden,
  share,
  onToggle,
  onIsolate,
  onSelect,
}: {
  of: Grouping;
  group: ShownGroup;
  /** Original names of the groups that are merged in it; its own if none is. */
  members: readonly string[];
  hidden: boolean;
  /** Share of all cells, 0–1. */
  share: number | null;
  onToggle: () => void;
  onIsolate: () => void;
  onSelect: () => void;
}) {
  const { isEditing, pencil, edit, stop } = useEditing();
  const { name, color, count } = group;
  const originals = originalsOf(members);
  if (isEditing) return <EditedGroup of={of} group={group} members={members} onDone={stop} />;
  return (
    <li className="group relative flex items-center gap-1 rounded-control pr-2 hover:bg-raised">
      <label
        className="relative flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 py-1.5 pl-2"
        title={name === originals ? name : `${name} (${originals})`}
      >
        <CoveringInput type="checkbox" checked={!hidden} onChange={onToggle} />
        <span
          aria-hidden
          className="size-3.5 shrink-0 rounded-[4px] border ring-1 ring-line peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary"
          style={{ borderColor: color, backgroundColor: hidden ? "transparent" : color }}
        />
        <span
          className={joinClasses("min-w-0 flex-1 truncate", hidden && "text-ink-3 line-through")}
        >
          {name}
        </span>
      </label>
      <RowActions
        name={name}
        onIsolate={onIsolate}
        onSelect={onSelect}
        onEdit={edit}
        pencil={pencil}
      />
      <span className="w-14 shrink-0 text-right text-[0.8125rem] text-ink-2">
        {count.toLocaleString("en-US")}
      </span>
      <span className="w-11 shrink-0 text-right text-xs text-ink-3">
        {share === null ? "" : `${(100 * share).toFixed(1)}%`}
      </span>
    </li>
  );
}

/** Changes name and color, of merged groups together. */
function EditedGroup({
  of,
  group: { name, color },
  members,
  onDone,
}: {
  of: Grouping;
  group: ShownGroup;
  members: readonly string[];
  onDone: () => void;
}) {
  const { store } = useViewer();
  const editAll = (edit: (member: string) => GroupEdit): void => {
    for (const member of members) editGroup(store, of, member, edit(member));
  };
  return (
    <li>
      <NameColorForm
        name={name}
        color={{
          value: color,
          label: viewerTexts.colorOf(name),
          onChange: (next) => editAll(() => ({ color: next })),
        }}
        nameLabel={viewerTexts.nameOf(originalsOf(members))}
        maxLength={80}
        onName={(next) => editAll((member) => ({ name: next === member ? "" : next }))}
        onDone={onDone}
      />
    </li>
  );
}

function originalsOf(members: readonly string[]): string {
  return members.join(" + ");
}

/** What can be done with a group, shown while the pointer or the focus is in its row. */
function RowActions({
  name,
  onIsolate,
  onSelect,
  onEdit,
  pencil,
}: {
  name: string;
  onIsolate: () => void;
  onSelect: () => void;
  onEdit: () => void;
  pencil: Ref<HTMLButtonElement>;
}) {
  return (
    <span className="absolute right-14 flex items-center rounded bg-raised opacity-0 group-hover:opacity-100 has-focus-visible:opacity-100 pointer-coarse:static pointer-coarse:opacity-100">
      <button
        type="button"
        aria-label={viewerTexts.onlyOf(name)}
        onClick={onIsolate}
        className="h-6 rounded px-2 text-xs font-medium text-primary"
      >
        {viewerTexts.only}
      </button>
      <button
        type="button"
        aria-label={selectionTexts.selectGroup(name)}
        title={selectionTexts.selectGroup(name)}
        onClick={onSelect}
        className="grid size-6 place-items-center rounded text-ink-3 hover:text-ink"
      >
        <MousePointerClick aria-hidden className="size-3.5" />
      </button>
      <button
        ref={pencil}
        type="button"
        aria-label={viewerTexts.editGroup(name)}
        onClick={onEdit}
        className="grid size-6 place-items-center rounded text-ink-3 hover:text-ink"
      >
        <Pencil aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
