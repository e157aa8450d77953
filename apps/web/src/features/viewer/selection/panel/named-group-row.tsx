import { Pencil, RefreshCw, Trash2, type LucideIcon } from "lucide-react";
import { useRef, useState, type RefObject } from "react";
import { selectionTexts } from "../../../../texts/viewer-selection.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { NamedGroup } from "../../state/viewer-store.ts";
import { MOST_NAME_LETTERS } from "../groups-json.ts";
import { changeGroup, selectCells } from "../selection-actions.ts";

const texts = selectionTexts.groups;

/** One named group: a click selects its cells again. */
export function NamedGroupRow({ group, onRemove }: { group: NamedGroup; onRemove: () => void }) {
  const { store } = useViewer();
  const selection = useViewerState((state) => state.selection);
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { id, name, color, cells } = group;
  if (editing)
    return (
      <NamedGroupEditor
        group={group}
        onDone={() => {
          setEditing(false);
          requestAnimationFrame(() => pencil.current?.focus());
        }}
      />
    );
  return (
    <li className="flex items-center gap-0.5 rounded-control pr-1 hover:bg-raised">
      <button
        type="button"
        title={texts.show(name)}
        onClick={() => selectCells(store, cells)}
        className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 pl-2 text-left"
      >
        <span
          aria-hidden
          className="size-3.5 shrink-0 rounded-[4px]"
          style={{ backgroundColor: color }}
        />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <span className="shrink-0 pr-1 text-[0.8125rem] text-ink-2">
          {cells.count.toLocaleString("en-US")}
        </span>
      </button>
      {selection && selection !== cells && (
        <RowButton
          icon={RefreshCw}
          label={texts.replace(name)}
          onClick={() => changeGroup(store, id, { cells: selection })}
        />
      )}
      <RowButton
        ref={pencil}
        icon={Pencil}
        label={texts.edit(name)}
        onClick={() => setEditing(true)}
      />
      <RowButton icon={Trash2} label={texts.remove(name)} onClick={onRemove} />
    </li>
  );
}

function RowButton({
  ref,
  icon: Icon,
  label,
  onClick,
}: {
  ref?: RefObject<HTMLButtonElement | null>;
  icon: LucideIcon;
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-7 shrink-0 place-items-center rounded text-ink-3 hover:text-ink"
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}

/** Name and colour of a group. Enter keeps, Escape leaves. */
function NamedGroupEditor({ group, onDone }: { group: NamedGroup; onDone: () => void }) {
  const { store } = useViewer();
  const [name, setName] = useState(group.name);
  return (
    <li className="rounded-control bg-raised p-2">
      <form
        className="flex items-center gap-2"
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          changeGroup(store, group.id, { name });
          onDone();
        }}
      >
        <input
          type="color"
          aria-label={texts.newColor(group.name)}
          value={group.color}
          onChange={(event) => changeGroup(store, group.id, { color: event.target.value })}
          className="size-8 shrink-0 cursor-pointer rounded border border-line-input bg-card p-0.5"
        />
        <input
          autoFocus
          aria-label={texts.newName(group.name)}
          value={name}
          maxLength={MOST_NAME_LETTERS}
          onChange={(event) => setName(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-control border border-line-input bg-card px-2 text-ink"
        />
        <button
          type="submit"
          className="h-8 rounded-control px-2 text-[0.8125rem] font-medium text-primary hover:bg-card"
        >
          {texts.done}
        </button>
      </form>
    </li>
  );
}
