import { useSyncExternalStore } from "react";
import { getSession, subscribeSession } from "../../app/session.ts";
import { httpTransport } from "./http-transport.ts";
import { createUploadEngine, isUnderWay, type Upload } from "./upload-engine.ts";

const browserClock = {
  now: () => performance.now(),
  wait: (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener(
        "abort",
        () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        },
        { once: true },
      );
    }),
};

const browserConnection = {
  isOnline: () => navigator.onLine,
  onOnline(listener: () => void) {
    window.addEventListener("online", listener);
    return () => window.removeEventListener("online", listener);
  },
};

/** The one engine of this tab. */
export const uploads = createUploadEngine(httpTransport, browserClock, browserConnection);

/** Every upload of this tab by key, kept current. */
export function useUploads(): ReadonlyMap<string, Upload> {
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot);
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

let guarded = false;
let wakeLock: WakeLockSentinel | undefined;

/** Keeps the screen on and asks before the tab closes, but only while something is under way. */
function guardUploads(): void {
  const busy = [...uploads.snapshot().values()].some(isUnderWay);
  if (busy === guarded) return;
  guarded = busy;
  if (busy) {
    window.addEventListener("beforeunload", askBeforeLeaving);
    // A refusal (low battery, hidden tab) costs nothing: the upload goes on without it.
    navigator.wakeLock?.request("screen").then(
      (lock) => {
        if (guarded) wakeLock = lock;
        else void lock.release();
      },
      () => undefined,
    );
  } else {
    window.removeEventListener("beforeunload", askBeforeLeaving);
    void wakeLock?.release();
    wakeLock = undefined;
  }
}

uploads.subscribe(guardUploads);

subscribeSession(() => {
  if (getSession().state === "in") uploads.resumeSession();
});
