/** The browser features that decide who leads; replaced in tests. */
export interface Surroundings {
  /** Undefined if the page is not served securely: then every tab leads for itself. */
  locks: LockManager | undefined;
  isVisible(): boolean;
  /** Calls back when the tab is shown or hidden; returns how to stop that. */
  onVisibility(listener: () => void): () => void;
}

const BROWSER: Surroundings = {
  get locks() {
    return typeof navigator === "undefined" ? undefined : navigator.locks;
  },
  isVisible: () => document.visibilityState === "visible",
  onVisibility(listener) {
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  },
};

/**
 * Tries to become the only tab of this browser that makes the request `name`, using a lock that the browser releases
 * when the tab closes or crashes. A visible tab takes the lead immediately rather than wait for a hidden one, whose
 * timers the browser slows down; a hidden leader continues until another tab is shown. `onChange` receives whether this
 * tab leads; the returned function gives up.
 */
export function seekLeadership(
  name: string,
  onChange: (leads: boolean) => void,
  { locks, isVisible, onVisibility }: Surroundings = BROWSER,
): () => void {
  if (!locks) {
    onChange(true);
    return () => onChange(false);
  }
  const given = new AbortController();
  let release: (() => void) | null = null;

  function hold(): Promise<void> {
    if (given.signal.aborted) return Promise.resolve();
    onChange(true);
    return new Promise((resolve) => {
      release = resolve;
    });
  }
  function lose(): void {
    release = null;
    onChange(false);
  }
  async function take(): Promise<void> {
    if (release !== null || given.signal.aborted) return;
    try {
      await locks!.request(name, { steal: true }, hold);
    } catch {
      // Another tab was shown and took the lead: wait in line until it closes.
      if (given.signal.aborted) return;
      lose();
      void wait();
    }
  }
  async function wait(): Promise<void> {
    try {
      await locks!.request(name, { signal: given.signal }, hold);
    } catch {
      if (given.signal.aborted) return;
      lose();
      void wait();
    }
  }

  const stopWatching = onVisibility(() => {
    if (isVisible()) void take();
  });
  void (isVisible() ? take() : wait());
  return () => {
    given.abort();
    stopWatching();
    release?.();
    onChange(false);
  };
}
