/** What every new account starts with. */
export const TRIAL = {
  tier: "trial",
  name: "Trial",
  days: 4,
  analyses: 1,
  projects: 1_000,
  storageGb: 200,
  urgentBelowDays: 2,
} as const;
