import { useRef, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { RemovedNote } from "./removed-note.tsx";
import { selectionTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { removeGroup } from "../selection-actions.ts";
import { CombineGroups } from "./combine-groups.tsx";
import { NamedGroupRow } from "./named-group-row.tsx";
import { PanelSection } from "./section.tsx";

const texts = selectionTexts.groups;

/** The user's named groups, and combinations of two sets. */
export function GroupsSection() {
  const { store } = useViewer();
  const groups = useViewerState((state) => state.groups);
  const colored = useViewerState((state) => state.colorBy === "groups");
  const [removed, setRemoved] = useState<{ name: string; restore: () => void } | null>(null);
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
      {groups.length === 0 && !removed && (
        <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>
      )}
      {groups.length > 0 && (
        <ul ref={list} className="-mx-2">
          {groups.map((group) => (
            <NamedGroupRow
              key={group.id}
              group={group}
              onRemove={() => {
                setRemoved({ name: group.name, restore: removeGroup(store, group.id) });
              }}
            />
          ))}
        </ul>
      )}
      {removed && (
        <RemovedNote
          removed={removed}
          text={texts.removed(removed.name)}
          undo={texts.undo}
          onUndo={() => {
            removed.restore();
            setRemoved(null);
            requestAnimationFrame(() => list.current?.querySelector("button")?.focus());
          }}
        />
      )}
      <CombineGroups />
    </PanelSection>
  );
}
