import { isTrial } from "@stipple/contract/business/plans";
import { daysRemaining } from "@stipple/contract/business/time";
import type { Project } from "@stipple/contract";
import { longDate } from "../../app/long-date.ts";
import { useSession } from "../../app/session.ts";
import { useNow } from "../../app/use-now.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { DASHBOARD_TEXTS as TEXTS } from "./texts.ts";
import { expiringSoon } from "../../project/project-facts.ts";

const MINUTE_MS = 60_000;
const NAMED = 3;

/** Names the projects that will be deleted within a week. During the trial, the banner above covers all of them. */
export function ExpiryWarning({
  projects,
  className,
}: {
  projects: readonly Project[] | undefined;
  className?: string;
}) {
  const { user, verified } = useSession();
  const now = useNow(MINUTE_MS);
  const soon = expiringSoon(projects ?? [], now);
  if (!verified || isTrial(user.subscription_tier) || soon.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={TEXTS.expiring(soon.length)}
      {...(className && { className })}
      actions={
        <>
          <ButtonLink to="/projects" size="sm">
            {TEXTS.expiringAction}
          </ButtonLink>
          <ButtonLink to="/pricing" size="sm">
            {TEXTS.expiringPlans}
          </ButtonLink>
        </>
      }
    >
      <ul>
        {soon.slice(0, NAMED).map(({ id, name, storage_expiry }) => (
          <li key={id} className="break-words">
            {TEXTS.expiringProject(
              name,
              daysRemaining(storage_expiry, now) ?? 0,
              longDate(storage_expiry),
            )}
          </li>
        ))}
      </ul>
      {soon.length > NAMED && <p>{TEXTS.expiringMore(soon.length - NAMED)}</p>}
      <p className="text-ink-2">{TEXTS.expiringKeep}</p>
    </Notice>
  );
}
