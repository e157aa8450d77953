import { tierName, isTrial } from "@stipple/contract/business/plans";
import { daysRemaining } from "@stipple/contract/business/time";
import { Plus } from "lucide-react";
import { longDate } from "../../app/long-date.ts";
import { useSession } from "../../app/session.ts";
import { QuotaNotice } from "../../app/subscription/quota-notice.tsx";
import { TrialBanner } from "../../app/subscription/trial-banner.tsx";
import { isRenewed, usageOf } from "../../app/subscription/usage.ts";
import { useNow } from "../../app/use-now.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { Tile } from "../../components/tile.tsx";
import { statusName } from "../../app/subscription/status-names.ts";
import { DASHBOARD_TEXTS as TEXTS } from "./texts.ts";
import { countProjects, expiringSoon } from "../../project/project-facts.ts";
import { RecentProjects } from "./recent-projects.tsx";
import { SampleButton } from "./sample-button.tsx";
import { useProjects } from "./use-projects.ts";
import type { Project } from "@stipple/contract";
import { Notice } from "../../components/notice.tsx";

const NAMED = 3;
const MINUTE_MS = 60_000;

export function DashboardPage() {
  usePageTitle(TEXTS.title);
  const projects = useProjects();
  const counts = projects.data && countProjects(projects.data);
  const countsLoading = projects.isPending;
  return (
    <Page
      title={TEXTS.title}
      actions={
        <>
          {projects.data && projects.data.length > 0 && (
            // Not on phones, where it would appear late and on its own line; step 1 offers it too.
            <span className="hidden sm:contents">
              <SampleButton />
            </span>
          )}
          <ButtonLink to="/analysis/step1" variant="primary" icon={Plus}>
            {TEXTS.newAnalysis}
          </ButtonLink>
        </>
      }
    >
      <TrialBanner className="mb-6" />
      <QuotaNotice className="mb-6" />
      <ExpiryWarning projects={projects.data} className="mb-6" />
      <SubscriptionTiles />
      <section aria-label={TEXTS.projects}>
        <h2 className="mt-6 mb-3 text-base">{TEXTS.projects}</h2>
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Tile
            label={TEXTS.total}
            value={counts?.total}
            loading={countsLoading}
            to={counts?.total ? "/projects" : undefined}
          />
          {(["completed", "processing", "failed"] as const).map((kind) => (
            <Tile
              key={kind}
              label={TEXTS[kind]}
              value={counts?.[kind]}
              loading={countsLoading}
              to={counts?.[kind] ? `/projects?show=${kind}` : undefined}
            />
          ))}
        </div>
      </section>
      <div className="mt-6">
        <RecentProjects projects={projects} />
      </div>
    </Page>
  );
}

function SubscriptionTiles() {
  const { user, verified } = useSession();
  const now = useNow(MINUTE_MS);
  const loading = !verified;
  const end = user.subscription_end_date;
  const renews = isRenewed(user) && user.scheduled_downgrade === null;
  return (
    <section aria-label={TEXTS.subscription}>
      <div className="mb-3 flex items-center justify-between">
        <h2 className="text-base">{TEXTS.subscription}</h2>
        <ButtonLink to="/profile" size="sm">
          {TEXTS.manage}
        </ButtonLink>
      </div>
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Tile
          label={TEXTS.currentPlan}
          value={tierName(user.subscription_tier)}
          loading={loading}
        />
        <Tile label={TEXTS.status} value={statusName(user.subscription_status)} loading={loading} />
        <Tile
          label={TEXTS.daysRemaining}
          value={daysRemaining(end, now)}
          hint={!loading && end ? (renews ? TEXTS.renews : TEXTS.until)(longDate(end)) : undefined}
          loading={loading}
        />
        <Tile label={TEXTS.analysesRemaining} value={usageOf(user).remaining} loading={loading} />
      </div>
    </section>
  );
}

/**
 * Names the projects that will be deleted within a week: none of a plan that is renewed. During the trial, the banner
 * above covers all of them.
 */
function ExpiryWarning({
  projects,
  className,
}: {
  projects: readonly Project[] | undefined;
  className?: string;
}) {
  const { user, verified } = useSession();
  const now = useNow(MINUTE_MS);
  const soon = expiringSoon(projects ?? [], now);
  const isUnneeded = isTrial(user.subscription_tier) || isRenewed(user) || soon.length === 0;
  if (!verified || isUnneeded) return null;
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
          <li key={id}>
            {TEXTS.expiringProject(
              name,
              daysRemaining(storage_expiry, now) ?? 0,
              longDate(storage_expiry),
            )}
          </li>
        ))}
      </ul>
      {soon.length > NAMED && <p>{TEXTS.expiringMore(soon.length - NAMED)}</p>}
      <p className="text-ink-2">
        {user.subscription_status === "expired" ? TEXTS.expiringClosed : TEXTS.expiringKeep}
      </p>
    </Notice>
  );
}
