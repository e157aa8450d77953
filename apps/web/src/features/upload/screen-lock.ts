let wanted = false;
let lock: WakeLockSentinel | undefined;

/** Keeps the screen on until `letScreenSleep`. A refusal (low battery, hidden tab) costs nothing: uploads go on without it. */
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

/** Asks for the lock, also when the tab is back in sight: the browser takes it away from hidden ones. */
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
