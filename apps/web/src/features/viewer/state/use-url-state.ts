import { useEffect } from "react";
import { ownEdits } from "./own-edits.ts";
import { urlOf } from "./url-state.ts";
import { shownOf, type ViewerStore } from "./viewer-store.ts";

/** The URL is updated this long after the last change: browsers allow about 100 changes in 30 s. */
const WRITE_AFTER_MS = 400;

/** Keeps the picture in the page's URL, so that a copied URL restores it. */
export function useUrlState(store: ViewerStore): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const state = store.getState();
      const query = urlOf({ ...shownOf(state), edits: ownEdits(state) });
      const { pathname, search } = window.location;
      if (search.slice(1) === query) return;
      window.history.replaceState(
        window.history.state,
        "",
        query ? `${pathname}?${query}` : pathname,
      );
    };
    const stop = store.subscribe(() => {
      clearTimeout(waiting);
      waiting = setTimeout(write, WRITE_AFTER_MS);
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [store]);
}
