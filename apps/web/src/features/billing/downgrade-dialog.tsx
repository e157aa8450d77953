import { downgradeSubscription } from "@stipple/contract/routes/billing";
import type { Plan } from "@stipple/contract/business/plans";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { longDate } from "../../app/long-date.ts";
import { notifyAlert } from "../../app/notify-alert.ts";
import { refreshSession, useSession } from "../../app/session.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";

/** Asks before a lower tier is scheduled for the end of the period; open while `plan` is set. */
export function DowngradeDialog({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);

  const confirm = async (): Promise<void> => {
    if (plan === null) return;
    setBusy(true);
    try {
      const answer = await api(downgradeSubscription, { body: { target_tier: plan.tier } });
      onClose();
      notifyAlert(TEXTS.downgradeScheduled(longDate(answer.effective_date)));
      await refreshSession();
    } catch {
      notifyAlert(TEXTS.downgradeFailed);
    } finally {
      setBusy(false);
    }
  };

  const end = user.subscription_end_date;
  return (
    <ConfirmDialog
      open={plan !== null}
      onClose={onClose}
      title={TEXTS.downgradeTitle(plan?.title ?? "")}
      description={[
        TEXTS.downgradeText(end ? longDate(end) : null),
        ...(user.subscription_status === "cancelled" ? [TEXTS.downgradeTakesBack] : []),
      ].join(" ")}
      action={TEXTS.confirmDowngrade}
      cancel={TEXTS.keep}
      tone="primary"
      busy={busy}
      onConfirm={() => void confirm()}
    />
  );
}
