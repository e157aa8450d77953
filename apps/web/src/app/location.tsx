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

/** Where the browser is. Every navigation gives a new object, also one to the same address. */
export interface BrowserLocation {
  /** Without slashes at its end. */
  pathname: string;
  /** Empty, or with its `?`. */
  search: string;
  /** Empty, or with its `#`. */
  hash: string;
  /** The navigation state; it survives a reload. */
  state: unknown;
  /** Whether the browser itself led here: by back, forward or a load, not the app by a link. */
  byBrowser: boolean;
}

function whereWeAre(byBrowser: boolean): BrowserLocation {
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
 * Tells the router and its pages where the browser is. It changes in a transition, which the router's own
 * hook cannot do: the page before stays until the code of the next one is there.
 */
export function Navigation({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState(() => whereWeAre(true));
  useLayoutEffect(() => {
    const follow = (event: Event): void =>
      startTransition(() => setCurrent(whereWeAre(event.type === "popstate")));
    for (const type of EVENTS) window.addEventListener(type, follow);
    // A redirect among the children has come before this.
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
