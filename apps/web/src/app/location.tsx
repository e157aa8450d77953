import {
  createContext,
  startTransition,
  useContext,
  useLayoutEffect,
  useState,
  type ReactNode,
} from "react";
import { Router, type AroundNavHandler } from "wouter";
import { navigate } from "wouter/use-browser-location";

/** The browser's location. Every navigation creates a new object, even one to the same URL. */
export interface BrowserLocation {
  /** Without trailing slashes. */
  pathname: string;
  /** Empty, or with its `?`. */
  search: string;
  /** Empty, or with its `#`. */
  hash: string;
  /** The navigation state; it survives a reload. */
  state: unknown;
  /** Whether the browser itself came here (back, forward, or a page load) rather than through a link of the app. */
  byBrowser: boolean;
}

export function whereWeAre(byBrowser: boolean): BrowserLocation {
  const { pathname, search, hash } = window.location;
  const state: unknown = window.history.state;
  return { pathname: pathname.replace(/\/+$/, "") || "/", search, hash, state, byBrowser };
}

const Current = createContext<BrowserLocation>(whereWeAre(true));

/** The location of the page that is shown. */
export function useBrowserLocation(): BrowserLocation {
  return useContext(Current);
}

/**
 * Provides the browser's location to the router and its pages. It changes in a transition, which the router's own hook
 * does not support: the previous page stays visible until the code of the next one has loaded.
 */
export function Navigation({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState(() => whereWeAre(true));
  useLayoutEffect(() => {
    const follow = (event: Event): void =>
      startTransition(() => setCurrent(whereWeAre(event.type === "popstate")));
    for (const type of EVENTS) window.addEventListener(type, follow);
    // By now, a redirect among the children may have changed the location.
    startTransition(() =>
      setCurrent((before) => {
        const now = whereWeAre(false);
        return now.pathname === before.pathname ? before : now;
      }),
    );
    return () => {
      for (const type of EVENTS) window.removeEventListener(type, follow);
    };
  }, []);
  return (
    <Current value={current}>
      <Router hook={useRouterLocation} aroundNav={aroundNavigation}>
        {children}
      </Router>
    </Current>
  );
}

/** The router announces the latter two itself; the first comes from the browser. */
const EVENTS = ["popstate", "pushState", "replaceState"];

function useRouterLocation(): [string, typeof navigate] {
  return [useBrowserLocation().pathname, navigate];
}

/** Like browsers: a link to the current address adds no history entry. */
const aroundNavigation: AroundNavHandler = (go, to, { replace, state } = {}) => {
  const isHere = new URL(to, window.location.href).href === window.location.href;
  go(to, { replace: replace ?? isHere, state });
};
