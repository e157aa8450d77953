import { lazy, Suspense, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../components/button.tsx";
import { SESSION_TEXTS } from "../texts/session.ts";
import { isExpiryMessage } from "./expiry-message.ts";
import { useBrowserLocation } from "./location.tsx";
import { sessionExpired } from "./session-events.ts";
import { rememberPlace } from "./resume.ts";
import { endSession, getSession } from "./session.ts";

const Dialog = lazy(async () => ({ default: (await import("../components/dialog.tsx")).Dialog }));

/** Opens when a call is answered 401 while signed in, or a window of our own origin posts session_expired. */
export function SessionExpired() {
  const [open, setOpen] = useState(false);
  const location = useBrowserLocation();
  const [, navigate] = useLocation();
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
  const logIn = (): void => {
    setOpen(false);
    rememberPlace(getSession().user.id, location);
    navigate("/login");
    endSession();
  };
  return (
    <Suspense>
      <Dialog
        open
        alert
        title={SESSION_TEXTS.expiredTitle}
        description={SESSION_TEXTS.expiredText}
        actions={
          <Button variant="primary" onClick={logIn}>
            {SESSION_TEXTS.expiredAction}
          </Button>
        }
      />
    </Suspense>
  );
}
