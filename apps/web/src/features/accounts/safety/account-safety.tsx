import { ActivityCard } from "./activity-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoStepCard } from "./two-step-card.tsx";

/** How the account is signed in to, from where, and what happened with it. Loaded after the rest of the profile. */
export function AccountSafety() {
  return (
    <div className="flex flex-col gap-6">
      <TwoStepCard />
      <SessionsCard />
      <ActivityCard />
    </div>
  );
}
