import { useLocation } from "wouter";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { SESSION_TEXTS } from "./session-texts.ts";
import { useBrowserLocation } from "./location.tsx";
import { rememberPlace } from "./resume.ts";
import { endSession, getSession } from "./session.ts";

/** Says that the session has ended and leads to the login, which leads back to this page. */
export function ExpiredDialog({ onClose }: { onClose: () => void }) {
  const location = useBrowserLocation();
  const [, navigate] = useLocation();
  const logIn = (): void => {
    onClose();
    rememberPlace(getSession().user.id, location);
    navigate("/login");
    endSession();
  };
  return (
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
  );
}
