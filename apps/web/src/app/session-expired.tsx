import { useEffect, useState } from "react";
import { LazyBoundary } from "../components/lazy-boundary.tsx";
import { lazyPart } from "./load-code.ts";
import { sessionExpired } from "./session-events.ts";
import { getSession, subscribeSession } from "./session.ts";
import { TOKEN_KEY } from "./token.ts";

const ExpiredDialog = lazyPart(() => import("./expired-dialog.tsx"), "ExpiredDialog");

/**
 * Opens its dialog when a call is answered 401 while signed in, or a window of our own origin posts session_expired.
 */
export function SessionExpired() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = (): void => setOpen(true);
    const onMessage = (event: MessageEvent): void => {
      // A message that a script of this page makes itself has no origin.
      const own = !event.origin || event.origin === window.location.origin;
      if (own && isExpiryMessage(event.data)) show();
    };
    // Someone has logged in again in another tab.
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key === TOKEN_KEY && newValue) setOpen(false);
    };
    // The login page says itself that the session has ended.
    const stopFollowing = subscribeSession(() => {
      if (getSession().state === "out") setOpen(false);
    });
    sessionExpired.addEventListener("expired", show);
    window.addEventListener("message", onMessage);
    window.addEventListener("storage", onStorage);
    return () => {
      stopFollowing();
      sessionExpired.removeEventListener("expired", show);
      window.removeEventListener("message", onMessage);
      window.removeEventListener("storage", onStorage);
    };
  }, []);
  if (!open) return null;
  return (
    <LazyBoundary>
      <ExpiredDialog onClose={() => setOpen(false)} />
    </LazyBoundary>
  );
}

/** Whether a posted message reports that the session expired: the bare string, or an object of that type. */
export function isExpiryMessage(data: unknown): boolean {
  if (data === "session_expired") return true;
  return (
    typeof data === "object" && data !== null && "type" in data && data.type === "session_expired"
  );
}
