import { tierName } from "@stipple/contract/business/plans";
import { undoDowngrade } from "@stipple/contract/routes/billing";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { notifyAlert } from "../../app/notify-alert.ts";
import { refreshSession, useSession } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast-store.ts";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";

/** Cancels a scheduled downgrade. */
export function UndoDowngrade({ className }: { className?: string }) {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);

  async function undo(): Promise<void> {
    setBusy(true);
    try {
      await api(undoDowngrade);
      toast(TEXTS.undone(tierName(user.subscription_tier)), { ok: true });
      await refreshSession();
    } catch {
      notifyAlert(TEXTS.undoFailed);
      // Another tab may have canceled it first, or the downgrade may have taken effect.
      await refreshSession();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button busy={busy} {...(className ? { className } : {})} onClick={() => void undo()}>
      {TEXTS.undoDowngrade}
    </Button>
  );
}
