import * as z from "zod/mini";
import { groupsFromJson, groupsToJson } from "../selection/groups-json.ts";
import { FIRST_SHOWN } from "../state/shown-state.ts";
import { shownOfUrl, urlOf } from "../state/url-state.ts";
import {
  shownOf,
  type NamedGroup,
  type ViewerState,
  type ViewerStore,
} from "../state/viewer-store.ts";

/** What a saved view holds: the picture as an address has it, the named groups, and the selection as a group of its own. */
const writtenView = z.object({
  version: z.literal(1),
  query: z.string(),
  groups: z.unknown(),
  selection: z.nullable(z.unknown()),
});

/** The present view, to be saved. */
export async function viewToJson(
  state: ViewerState,
  nCells: number,
): Promise<Record<string, unknown>> {
  const { selection } = state;
  return {
    version: 1,
    query: urlOf(shownOf(state)),
    groups: await groupsToJson(state.groups, nCells),
    selection:
      selection &&
      (await groupsToJson(
        [{ id: 1, name: "Selection", color: "#000000", cells: selection }],
        nCells,
      )),
  };
}

/**
 * Shows a saved view. Groups that it does not know by name stay, so that opening one loses nothing. Throws when it
 * cannot be read or belongs to other cells.
 */
export async function openSavedView(
  store: ViewerStore,
  written: unknown,
  nCells: number,
): Promise<void> {
  const view = writtenView.parse(written);
  const groups = await groupsFromJson(view.groups, nCells);
  const selected = view.selection === null ? [] : await groupsFromJson(view.selection, nCells);
  store.setState((state) => ({
    ...FIRST_SHOWN,
    ...shownOfUrl(view.query),
    selection: selected[0]?.cells ?? null,
    groups: merged(state.groups, groups),
    hovered: -1,
  }));
}

function merged(present: readonly NamedGroup[], saved: readonly NamedGroup[]): NamedGroup[] {
  const names = new Set(saved.map(({ name }) => name));
  const kept = present.filter(({ name }) => !names.has(name));
  const firstId = Math.max(0, ...present.map(({ id }) => id)) + 1;
  return [...kept, ...saved.map((group, at) => ({ ...group, id: firstId + at }))];
}
