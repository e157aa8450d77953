import { useEffect } from "react";
import { urlOf } from "./url-state.ts";
import { shownOf, type ViewerStore } from "./viewer-store.ts";

/** The address follows what is shown this soon after it stops changing: browsers allow some 100 changes in 30 s. */
const WRITE_AFTER_MS = 400;

/** Keeps the picture in the page's address, so that a copied address shows it again. */
export function useUrlState(store: ViewerStore): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const query = urlOf(shownOf(store.getState()));
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
