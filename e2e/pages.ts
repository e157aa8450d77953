/** Every page that can be opened without a finished analysis: shared by the audits and the screenshots. */
export const PUBLIC_PAGES = [
  "/",
  "/about",
  "/services",
  "/contact",
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/terms",
  "/privacy",
  "/validation",
  "/help",
  "/help/prepare-files",
  "/success?stripe_success=true",
  "/404",
] as const;

export const SIGNED_IN_PAGES = [
  "/dashboard",
  "/profile",
  "/pricing",
  "/projects",
  "/studies",
  "/analysis/step1",
] as const;

/** These also need `project_id`. */
export const PROJECT_PAGES = [
  "/analysis/step2",
  "/analysis/step3",
  "/analysis/step4",
  "/report",
] as const;

/** A desktop and a phone. */
export const WIDTHS = [1440, 375] as const;
