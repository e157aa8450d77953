import { lazy, Suspense, useEffect, useState } from "react";
import { isExpiryMessage } from "./expiry-message.ts";
import { sessionExpired } from "./session-events.ts";

const ExpiredDialog = lazy(async () => ({
  default: (await import("./expired-dialog.tsx")).ExpiredDialog,
}));

/** Opens its dialog when a call is answered 401 while signed in, or a window of our own origin posts session_expired. */
export function SessionExpired() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = (): void => setOpen(true);
    const onMessage = (event: MessageEvent): void => {
      if (event.origin === window.location.origin && isExpiryMessage(event.data)) show();
    };
    sessionExpired.addEventListener("expired", show);
    window.addEventListener("message", onMessage);
    return () => {
      sessionExpired.removeEventListener("expired", show);
      window.removeEventListener("message", onMessage);
    };
  }, []);
  if (!open) return null;
  return (
    <Suspense>
      <ExpiredDialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}
