import { ActivityCard } from "./activity-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoStepCard } from "./two-step-card.tsx";

/** How and where the account is signed in, and its recent activity. Loaded after the rest of the profile. */
export function AccountSafety() {
  return (
    <div className="flex flex-col gap-6">
      <TwoStepCard />
      <SessionsCard />
      <ActivityCard />
    </div>
  );
}
