import { ownEdits } from "../state/own-edits.ts";
import { urlOf } from "../state/url-state.ts";
import { shownOf, type ViewerStore } from "../state/viewer-store.ts";

/** A URL of the view with the current picture encoded in it. */
export function withPicture(address: string, store: ViewerStore): string {
  const url = new URL(address, window.location.href);
  const state = store.getState();
  url.search = urlOf({ ...shownOf(state), edits: ownEdits(state) });
  return url.href;
}
