import { useSyncExternalStore } from "react";
import { getSession, subscribeSession } from "../../app/session.ts";
import { toast } from "../../components/toast-store.ts";
import { uploadTexts } from "./texts.ts";
import { httpTransport } from "./http-transport.ts";
import { isUnderWay, type Upload } from "./upload.ts";
import { UploadEngine } from "./upload-engine.ts";

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
export const uploads = new UploadEngine(httpTransport, browserClock, browserConnection);

/** Every upload of this tab by key, kept current. */
export function useUploads(): ReadonlyMap<string, Upload> {
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot);
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

let guarded = false;
/** Keeps the screen on and asks before the tab closes, but only while something is in progress. */
function guardUploads(): void {
  const busy = [...uploads.snapshot().values()].some(isUnderWay);
  if (busy === guarded) return;
  guarded = busy;
  if (busy) {
    window.addEventListener("beforeunload", askBeforeLeaving);
    keepScreenOn();
  } else {
    window.removeEventListener("beforeunload", askBeforeLeaving);
    letScreenSleep();
  }
}

uploads.subscribe(guardUploads);

const quiet = new Set<string>();
/** Uploads of this project are followed as a whole: there is no message for each file. */
export function keepQuiet(projectId: string): void {
  quiet.add(projectId);
}

// Here rather than on the page, because uploads continue while the user is elsewhere in the app.
uploads.onEnd(({ projectId, state, fileName, error }) => {
  if (quiet.has(projectId)) return;
  if (state === "done") toast(uploadTexts.succeeded(fileName), { ok: true });
  else toast(uploadTexts.failed(fileName, error ?? ""), { failed: true });
});

subscribeSession(() => {
  if (getSession().state === "in") uploads.resumeSession();
});

let wanted = false;
let lock: WakeLockSentinel | undefined;

/**
 * Keeps the screen on until `letScreenSleep`. A refusal (low battery, hidden tab) is harmless: uploads continue without
 * the lock.
 */
export function keepScreenOn(): void {
  wanted = true;
  document.addEventListener("visibilitychange", request);
  request();
}

export function letScreenSleep(): void {
  wanted = false;
  document.removeEventListener("visibilitychange", request);
  release();
}

/** Requests the lock, and again when the tab becomes visible: browsers release it for hidden tabs. */
function request(): void {
  if (document.visibilityState !== "visible") return;
  navigator.wakeLock?.request("screen").then(
    (granted) => {
      release();
      lock = granted;
      if (!wanted) release();
    },
    () => undefined,
  );
}

function release(): void {
  void lock?.release();
  lock = undefined;
}
