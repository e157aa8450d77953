/** What an account's audit log records. The pages have a sentence for each in `accounts/security/activity-words.ts`. */
export const ACTIVITIES = [
  "account_created",
  "signed_in",
  "sign_in_failed",
  "signed_out",
  "session_ended",
  "other_sessions_ended",
  "password_refused",
  "password_changed",
  "password_reset_asked",
  "password_reset",
  "email_verified",
  "second_factor_failed",
  "totp_added",
  "totp_removed",
  "passkey_added",
  "passkey_removed",
  "recovery_codes_made",
  "recovery_code_used",
  "plan_bought",
  "plan_renewed",
  "payment_failed",
  "plan_cancelled",
  "plan_reactivated",
  "downgrade_scheduled",
  "downgrade_undone",
  "plan_ended",
  "project_renamed",
  "project_deleted",
  "study_renamed",
  "study_deleted",
  "study_downloaded",
  "study_landmarks_changed",
  "file_removed",
  "account_deleted",
  "results_downloaded",
  "account_exported",
  "share_made",
  "share_opened",
  "share_revoked",
  "share_ended",
  "annotations_changed",
  "operator_acted",
] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Who did it. `visitor`: someone who had not signed in, or who holds a share link. */
export const ACTORS = ["person", "visitor", "operator", "provider", "system"] as const;
export type Actor = (typeof ACTORS)[number];

/** Days after which a record of the audit log is deleted. */
export const ACTIVITY_KEPT_DAYS = 365;
