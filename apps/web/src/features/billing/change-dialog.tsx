import { cancelSubscription, reactivateSubscription } from "@stipple/contract/routes/billing";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { longDate } from "../../app/long-date.ts";
import { notifyAlert } from "../../app/notify-alert.ts";
import { refreshSession, useSession } from "../../app/session.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toast } from "../../components/toast-store.ts";
import { PROFILE_TEXTS as TEXTS } from "./texts.ts";

/** Asks for confirmation before a subscription is canceled or resumed; open while `asking` is set. */
export function ChangeDialog({
  asking,
  onClose,
}: {
  asking: "cancel" | "reactivate" | null;
  onClose: () => void;
}) {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const cancelling = asking === "cancel";
  const end = longDate(user.subscription_end_date);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      if (cancelling) {
        const id = user.stripe_subscription_id;
        await api(cancelSubscription, { body: id ? { subscription_id: id } : {} });
      } else await api(reactivateSubscription);
      onClose();
      toast(cancelling ? TEXTS.cancelled : TEXTS.reactivated);
      await refreshSession();
    } catch {
      notifyAlert(cancelling ? TEXTS.cancelFailed : TEXTS.reactivateFailed);
    } finally {
      setBusy(false);
    }
  };

  return (
    <ConfirmDialog
      open={asking !== null}
      onClose={onClose}
      title={cancelling ? TEXTS.cancelTitle : TEXTS.reactivateTitle}
      description={cancelling ? TEXTS.cancelText(end) : TEXTS.reactivateText(end)}
      action={cancelling ? TEXTS.confirmCancel : TEXTS.confirmReactivate}
      cancel={cancelling ? TEXTS.keep : TEXTS.dismiss}
      tone={cancelling ? "danger" : "primary"}
      busy={busy}
      onConfirm={() => void confirm()}
    />
  );
}
