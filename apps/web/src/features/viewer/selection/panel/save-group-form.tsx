import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { Input } from "../../../../components/field.tsx";
import { useToast } from "../../../../components/toast-store.ts";
import { selectionTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { CellSet } from "@stipple/viewer/cells";
import { MAX_NAME_LETTERS } from "../groups-json.ts";
import { addGroup, nextGroupColor } from "../selection-actions.ts";

const texts = selectionTexts.groups;

/** Saves the selected cells as a group with a name and a color. */
export function SaveGroupForm({ cells }: { cells: CellSet }) {
  const { store } = useViewer();
  const toast = useToast();
  const groups = useViewerState((state) => state.groups);
  const [name, setName] = useState("");
  const [color, setColor] = useState<string | null>(null);
  const proposed = texts.defaultName(1 + Math.max(0, ...groups.map(({ id }) => id)));
  const chosen = color ?? nextGroupColor(groups);
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const group = addGroup(store, { name: name.trim() || proposed, color: chosen, cells });
        toast(texts.saved(group.name, cells.count), { ok: true });
        setName("");
        setColor(null);
      }}
    >
      <input
        type="color"
        aria-label={texts.color}
        value={chosen}
        onChange={(event) => setColor(event.target.value)}
        className="size-9 shrink-0 cursor-pointer rounded border border-line-input bg-card p-0.5"
      />
      <Input
        aria-label={texts.name}
        value={name}
        placeholder={proposed}
        maxLength={MAX_NAME_LETTERS}
        onChange={(event) => setName(event.target.value)}
        className="h-9! min-w-0 flex-1"
      />
      <Button type="submit" size="sm" variant="primary" className="h-9!">
        {texts.save}
      </Button>
    </form>
  );
}
