import { useEffect, useState } from "react";
import { selectionTexts } from "./texts.ts";
import { shownGroups } from "../state/shown-groups.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { CellSet } from "@stipple/viewer/cells";
import { composition } from "./panel/composition.ts";

/** Number of types named, largest first; the rest are summed. */
const MAX_NAMED = 4;
/** A rapid series of changes is announced once, at the end. */
const READ_AFTER_MS = 250;

/** Announces the selection to screen readers after each change. One per page. */
export function SelectionAnnouncer() {
  const { manifest, cells, store } = useViewer();
  const [text, setText] = useState("");
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const say = () => {
      const { selection, edits } = store.getState();
      const groups = shownGroups(manifest, "type", edits.type);
      setText(summary(selection, (set) => composition(cells.type, groups, set, "")));
    };
    const stop = store.subscribe((state, before) => {
      if (state.selection === before.selection) return;
      clearTimeout(waiting);
      waiting = setTimeout(say, READ_AFTER_MS);
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [store, manifest, cells]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}

function summary(
  selection: CellSet | null,
  sharesOf: (set: CellSet) => readonly { index: number; name: string; count: number }[],
): string {
  if (!selection) return selectionTexts.noneSelected;
  const shares = sharesOf(selection);
  const named = shares.filter(({ index }) => index >= 0).slice(0, MAX_NAMED);
  const others = selection.count - named.reduce((sum, { count }) => sum + count, 0);
  return selectionTexts.summary(selection.count, named, others);
}
