import { Pencil, RefreshCw, Trash2 } from "lucide-react";
import { IconButton } from "../../../../components/icon-button.tsx";
import { selectionTexts } from "../texts.ts";
import { Swatch } from "../../../../components/swatch.tsx";
import { NameColorForm } from "../../facets/name-color-form.tsx";
import { useEditing } from "../../facets/use-editing.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { NamedGroup } from "../../state/viewer-store.ts";
import { MAX_NAME_LETTERS } from "../groups-json.ts";
import { changeGroup, selectCells } from "../selection-actions.ts";

const texts = selectionTexts.groups;

/** One named group; clicking it selects its cells. */
export function NamedGroupRow({ group, onRemove }: { group: NamedGroup; onRemove: () => void }) {
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
