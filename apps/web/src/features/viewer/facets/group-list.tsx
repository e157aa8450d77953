import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { joinClasses } from "../../../components/join-classes.ts";
import { viewerTexts } from "../texts.ts";
import { isMerged } from "../state/annotated-groups.ts";
import { isUnknown, shownGroups } from "../state/shown-groups.ts";
import type { Grouping } from "@stipple/viewer/choices";
import { useHiddenGroups, useViewer, useViewerState } from "../state/viewer-context.tsx";
import { setHidden } from "../state/viewer-store.ts";
import { GroupRow } from "./group-row.tsx";

/** The groups of one kind with their colors and counts; each can be hidden, isolated, renamed, and recolored. */
export function GroupList({ of }: { of: Grouping }) {
  const { manifest, store } = useViewer();
  const hidden = useHiddenGroups()[of];
  const edits = useViewerState((state) => state.edits[of]);
  const colorsCells = useViewerState((state) => state.colorBy === of);
  const [open, setOpen] = useState<boolean | null>(null);
  const groups = shownGroups(manifest, of, edits);
  const isOpen = open ?? colorsCells;
  const label = viewerTexts.groupLists[of];
  // "Unknown" does not count as a type, consistent with the figures and the report.
  const nFound = groups.filter(
    (group) => !isUnknown({ name: group.originalName }) && !isMerged(group, groups),
  ).length;

  return (
    <section aria-label={label}>
      <div className="flex items-center justify-between">
        <h2 className="min-w-0 flex-1 text-[0.8125rem] font-medium text-ink-2">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="-ml-1 flex h-8 w-full items-center gap-1 rounded px-1 text-left hover:text-ink"
          >
            <ChevronDown
              aria-hidden
              className={joinClasses("size-4 transition-transform", !isOpen && "-rotate-90")}
            />
            {label} <span className="font-normal text-ink-3">({nFound})</span>
            {hidden.length > 0 && (
              <span className="ml-1 rounded-full bg-warn-tint px-1.5 text-xs text-warn">
                {viewerTexts.hiddenGroups(hidden.length)}
              </span>
            )}
          </button>
        </h2>
        {isOpen && (
          <button
            type="button"
            className="h-7 rounded px-1.5 text-[0.8125rem] font-medium text-primary hover:bg-raised"
            onClick={() =>
              setHidden(
                store,
                of,
                hidden.length === 0 ? groups.map(({ originalName }) => originalName) : [],
              )
            }
          >
            {hidden.length === 0 ? viewerTexts.hideAll : viewerTexts.showAll}
          </button>
        )}
      </div>
      {isOpen && (
        <ul className="-mx-2">
          {groups.map((group, index) =>
            isMerged(group, groups) ? null : (
              <GroupRow key={index} of={of} groups={groups} index={index} />
            ),
          )}
        </ul>
      )}
    </section>
  );
}
