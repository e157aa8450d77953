import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { channelChoices, chosenChannels } from "@stipple/viewer/source";
import { keepJson, keptJson } from "../../../app/kept-json.ts";
import { ownEdits } from "./own-edits.ts";
import { editsOf } from "./url-state.ts";
import { GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { type GroupEdits } from "./shown-state.ts";
import type { ViewerState, ViewerStore } from "./viewer-store.ts";
import { writeDebounced } from "./write-debounced.ts";

/** The user's names and colors, by original name. */
type Looks = Partial<Record<Grouping | "channel", GroupEdits>>;

/**
 * Keeps the user's names and colors of groups and channels in this browser, so that the next link to the project shows
 * them again, even after a rerun. First restores what was kept, except where the page's address says otherwise. Stops
 * when the returned function is called. If storage is blocked or full, nothing is kept.
 */
export function keepLooks(
  store: ViewerStore,
  manifest: ViewerManifest,
  key: string,
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
): () => void {
  const write = () => {
    const looks = looksOf(store.getState(), manifest);
    keepJson(storage, key, Object.keys(looks).length === 0 ? null : looks);
  };
  const kept = keptJson(storage, key);
  store.setState((state) => withLooks(state, kept, manifest));
  return writeDebounced(store, ["edits", "projectEdits", "channels"], write).stop;
}

function looksOf(state: ViewerState, manifest: ViewerManifest): Looks {
  const looks: Looks = {};
  const edits = ownEdits(state);
  for (const of of GROUPINGS) if (Object.keys(edits[of]).length > 0) looks[of] = edits[of];
  const { channels } = state;
  const originals = manifest.channels?.channels ?? [];
  const changed = originals.flatMap((original, at) => {
    const { name, color } = channels?.[at] ?? {};
    const look = { ...(name && { name }), ...(color && color !== original.color && { color }) };
    return Object.keys(look).length > 0 ? [[original.name, look] as const] : [];
  });
  if (changed.length > 0) looks.channel = Object.fromEntries(changed);
  return looks;
}

function withLooks(
  state: ViewerState,
  kept: unknown,
  manifest: ViewerManifest,
): Partial<ViewerState> {
  const looks = (kept ?? {}) as Record<string, unknown>;
  const editsIn = (of: string) => editsOf(JSON.stringify(looks[of] ?? null));
  const missing = GROUPINGS.filter((of) => Object.keys(state.edits[of]).length === 0);
  const restored = missing
    .map((of) => [of, editsIn(of)] as const)
    .filter(([, edits]) => Object.keys(edits).length > 0);
  // The same edits stay the same object: others are worked through again for all cells.
  const edits =
    restored.length > 0 ? { ...state.edits, ...Object.fromEntries(restored) } : state.edits;
  const ofChannels = editsIn("channel");
  const originals = manifest.channels?.channels ?? [];
  const isKept = originals.some(({ name }) => ofChannels[name]);
  if (state.channels !== null || !isKept) return { edits };
  const channels = channelChoices(manifest, null).map((choice) => ({
    ...choice,
    ...ofChannels[choice.name],
  }));
  return { edits, channels: chosenChannels(manifest, channels) };
}
