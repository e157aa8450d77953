import { byGrouping } from "@stipple/viewer/choices";
import type { GroupEdit, ShownState } from "./shown-state.ts";
import type { ViewerState } from "./viewer-store.ts";

/** The names and colors that only this page has; those of the project are there for everyone, so no address repeats them. */
export function ownEdits({
  edits,
  projectEdits,
}: Pick<ViewerState, "edits" | "projectEdits">): ShownState["edits"] {
  return byGrouping((of) =>
    Object.fromEntries(
      Object.entries(edits[of]).filter(
        ([group, edit]) => !isSameEdit(edit, projectEdits?.[of][group]),
      ),
    ),
  );
}

export function isSameEdit(a: GroupEdit | undefined, b: GroupEdit | undefined): boolean {
  return a?.name === b?.name && a?.color === b?.color;
}
