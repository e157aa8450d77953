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

/** Requests the lock, also when the tab becomes visible again: browsers release it for hidden tabs. */
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
