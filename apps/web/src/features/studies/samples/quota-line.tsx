import { PLANS, UNLIMITED } from "@stipple/contract/business/plan-list";
import { wholeDollars } from "../../../app/dollars.ts";
import { useSession } from "../../../app/session.ts";
import { nothingLeft } from "../../../app/subscription/usage.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { QUOTA_TEXTS as TEXTS } from "./texts.ts";

const SINGLE = PLANS.find(({ billing }) => billing === "one_time")!;

/** What the samples take of the plan, before anything is created. */
export function QuotaLine({ count }: { count: number }) {
  const { user, verified } = useSession();
  if (!verified) return null;
  const what = TEXTS.count(count);
  const { analyses_limit: limit, analyses_count: used } = user;
  if (nothingLeft(user) === "expired") return <Short text={TEXTS.expired(what)} />;
  const left = Math.max(0, limit - used);
  if (limit === UNLIMITED) return <Notice tone="info">{TEXTS.unlimited(what)}</Notice>;
  if (left >= count) return <Notice tone="info">{TEXTS.enough(what, left)}</Notice>;
  const price = wholeDollars(SINGLE.priceCents / 100);
  return <Short text={TEXTS.short(what, left, price)} />;
}

function Short({ text }: { text: string }) {
  return (
    <Notice
      tone="warn"
      actions={
        <ButtonLink size="sm" to="/pricing">
          {TEXTS.seePlans}
        </ButtonLink>
      }
    >
      {text}
    </Notice>
  );
}
