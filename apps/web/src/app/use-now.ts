import { useEffect, useState } from "react";
import { serverClock, serverNow } from "./server-clock.ts";

/** The current time by the server's clock, renewed every `everyMs` and when the page becomes visible again. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const renew = (): void => setNow(serverNow());
    const timer = setInterval(renew, everyMs);
    document.addEventListener("visibilitychange", renew);
    serverClock.addEventListener("change", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
      serverClock.removeEventListener("change", renew);
    };
  }, [everyMs]);
  return now;
}
