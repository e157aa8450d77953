import { Pencil, RefreshCw, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { IconButton } from "../../../../components/icon-button.tsx";
import { selectionTexts } from "../texts.ts";
import { NameColorForm } from "../../facets/name-color-form.tsx";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { NamedGroup } from "../../state/viewer-store.ts";
import { MAX_NAME_LETTERS } from "../groups-json.ts";
import { changeGroup, selectCells } from "../selection-actions.ts";

const texts = selectionTexts.groups;

/** One named group; clicking it selects its cells. */
export function NamedGroupRow({ group, onRemove }: { group: NamedGroup; onRemove: () => void }) {
  const { store } = useViewer();
  const selection = useViewerState((state) => state.selection);
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { id, name, color, cells } = group;
  if (editing)
    return (
      <li>
        <NameColorForm
          name={name}
          color={color}
          nameLabel={texts.newName(name)}
          colorLabel={texts.newColor(name)}
          maxLength={MAX_NAME_LETTERS}
          onName={(next) => changeGroup(store, id, { name: next })}
          onColor={(next) => changeGroup(store, id, { color: next })}
          onDone={() => {
            setEditing(false);
            requestAnimationFrame(() => pencil.current?.focus());
          }}
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
        <IconButton
          size="sm"
          icon={RefreshCw}
          label={texts.replace(name)}
          onClick={() => changeGroup(store, id, { cells: selection })}
        />
      )}
      <IconButton
        size="sm"
        ref={pencil}
        icon={Pencil}
        label={texts.edit(name)}
        onClick={() => setEditing(true)}
      />
      <IconButton size="sm" icon={Trash2} label={texts.remove(name)} onClick={onRemove} />
    </li>
  );
}
