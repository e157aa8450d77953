import { isTrial } from "@stipple/contract/business/plans";
import { ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { QUOTA_TEXTS as TEXTS } from "./quota-texts.ts";
import { longDate } from "../long-date.ts";
import { useSession } from "../session.ts";
import { nothingLeft } from "./usage.ts";

/** Says, before anything is created or uploaded, that a new project could not be analyzed; nothing when it could. */
export function QuotaNotice({ className }: { className?: string }) {
  const { user, verified } = useSession();
  const reason = verified ? nothingLeft(user) : null;
  if (!reason) return null;
  const end = user.subscription_end_date;
  const isRenewed =
    reason === "used" &&
    !isTrial(user.subscription_tier) &&
    !user.is_one_time &&
    user.subscription_status === "active" &&
    end !== null;
  return (
    <Notice
      tone="warn"
      title={reason === "expired" ? TEXTS.expired : TEXTS.used(user.analyses_limit)}
      {...(className ? { className } : {})}
      actions={
        <ButtonLink size="sm" variant="primary" to="/pricing">
          {TEXTS.seePlans}
        </ButtonLink>
      }
    >
      {reason === "expired"
        ? TEXTS.expiredText
        : isRenewed
          ? TEXTS.renewedText(longDate(end))
          : TEXTS.usedText}
    </Notice>
  );
}
