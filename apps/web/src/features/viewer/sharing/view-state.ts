import * as z from "zod/mini";
import { shortened } from "@stipple/contract/shortened";
import { sameCells } from "@stipple/viewer/cells";
import { byGrouping } from "@stipple/viewer/choices";
import {
  groupsFromJson,
  groupsToJson,
  MAX_NAME_LETTERS,
  selectionToJson,
} from "../selection/groups-json.ts";
import { selecting } from "../selection/selection-actions.ts";
import { FIRST_SHOWN } from "../state/shown-state.ts";
import { ownEdits } from "../state/own-edits.ts";
import { shownOfUrl, urlOf } from "../state/url-state.ts";
import {
  shownOf,
  type NamedGroup,
  type ViewerState,
  type ViewerStore,
} from "../state/viewer-store.ts";

/** Contents of a saved view: the picture as a URL query, the named groups, and the selection as a separate group. */
const writtenView = z.object({
  version: z.literal(1),
  query: z.string(),
  groups: z.unknown(),
  selection: z.nullable(z.unknown()),
});

/** The current view, ready to be saved. */
export async function viewToJson(
  state: ViewerState,
  nCells: number,
): Promise<Record<string, unknown>> {
  const { selection } = state;
  return {
    version: 1,
    query: urlOf({ ...shownOf(state), edits: ownEdits(state) }),
    groups: await groupsToJson(state.groups, nCells),
    selection: selection && (await selectionToJson(selection, nCells)),
  };
}

/**
 * Shows a saved view. Opening one loses nothing: existing groups stay, a saved group with a taken name but different
 * cells gets another name, and the previous selection can be restored. Throws if the view cannot be read or is for
 * different cells.
 */
export async function openSavedView(
  store: ViewerStore,
  written: unknown,
  nCells: number,
): Promise<void> {
  const view = writtenView.parse(written);
  const groups = await groupsFromJson(view.groups, nCells);
  const selected = view.selection === null ? [] : await groupsFromJson(view.selection, nCells);
  const cells = selected[0]?.cells ?? null;
  const shown = { ...FIRST_SHOWN, ...shownOfUrl(view.query) };
  store.setState((state) => ({
    ...shown,
    // What the project says by now counts more than what a view once said.
    edits: byGrouping((of) => ({ ...shown.edits[of], ...state.projectEdits?.[of] })),
    ...((cells || state.selection) && selecting(state, cells)),
    groups: merged(state.groups, groups),
    hovered: -1,
  }));
}

/** The current groups, then the new saved ones; a group with the same name and cells takes the saved color. */
function merged(present: readonly NamedGroup[], saved: readonly NamedGroup[]): NamedGroup[] {
  const groups = [...present];
  for (const group of saved) {
    const names = numbered(group.name, groups.length + 2);
    const at = groups.findIndex(
      ({ name, cells }) => names.includes(name) && sameCells(cells, group.cells),
    );
    if (at >= 0) groups[at] = { ...groups[at]!, color: group.color };
    else {
      const name = names.find((free) => groups.every((other) => other.name !== free))!;
      groups.push({ ...group, name });
    }
  }
  return groups;
}

/** A name, followed by numbered variants starting at 2. */
function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const number = at === 0 ? "" : ` (${at + 1})`;
    return shortened(name, MAX_NAME_LETTERS - number.length) + number;
  });
}
