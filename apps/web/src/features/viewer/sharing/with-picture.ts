import { urlOf } from "../state/url-state.ts";
import { shownOf, type ViewerStore } from "../state/viewer-store.ts";

/** An address of the view with the present picture in it. */
export function withPicture(address: string, store: ViewerStore): string {
  const url = new URL(address, window.location.href);
  url.search = urlOf(shownOf(store.getState()));
  return url.href;
}
