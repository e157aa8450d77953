import type { Activity } from "@stipple/contract";
import { longDate } from "../../../app/long-date.ts";

type About = Record<string, string>;

const of = (about: About, key: string): string => about[key] || "unknown";
const quoted = (about: About, key: string): string => `“${of(about, key)}”`;
const note = (about: About): string => (about["note"] ? ` (${about["note"]})` : "");

/** One sentence for each record of the audit log. */
const SENTENCES: Record<Activity, (about: About, by: string) => string> = {
  account_created: () => "Account created",
  signed_in: ({ means }) => (means ? `Signed in with ${article(means)}` : "Signed in"),
  sign_in_failed: () => "Sign-in failed: wrong password",
  signed_out: () => "Signed out",
  session_ended: ({ device }) =>
    device ? `Session on ${device} signed out` : "Session signed out",
  other_sessions_ended: () => "All other sessions signed out",
  password_refused: () => "Wrong password entered for an account change",
  password_changed: () => "Password changed",
  password_reset_asked: () => "Password reset link requested",
  password_reset: () => "Password reset with an emailed link",
  email_verified: () => "Email address confirmed",
  second_factor_failed: () => "Sign-in failed: correct password, wrong code",
  totp_added: () => "Authenticator app set up",
  totp_removed: () => "Authenticator app turned off",
  passkey_added: (about) => `Passkey ${quoted(about, "name")} added`,
  passkey_removed: (about) => `Passkey ${quoted(about, "name")} removed`,
  recovery_codes_made: () => "New recovery codes created",
  recovery_code_used: () => "Recovery code used",
  plan_bought: (about) => `${of(about, "plan")} bought for ${of(about, "amount")}`,
  plan_renewed: (about) => `${of(about, "plan")} renewed for ${of(about, "amount")}`,
  payment_failed: (about) => `Payment of ${of(about, "amount")} for ${of(about, "plan")} failed`,
  plan_cancelled: (about) =>
    `${of(about, "plan")} canceled; it ends on ${longDate(about["until"])}`,
  plan_reactivated: (about) => `${of(about, "plan")} reactivated`,
  downgrade_undone: () => "Scheduled downgrade undone",
  downgrade_scheduled: (about) =>
    `Change to ${of(about, "plan")} scheduled for ${longDate(about["until"])}`,
  plan_ended: (about) => `${of(about, "plan")} ended`,
  project_renamed: (about) =>
    `Project ${quoted(about, "project")} renamed to ${quoted(about, "name")}`,
  study_renamed: (about) => `Study ${quoted(about, "study")} renamed to ${quoted(about, "name")}`,
  study_deleted: (about) => `Study ${quoted(about, "study")} deleted`,
  study_downloaded: (about) =>
    `All samples of ${quoted(about, "study")} downloaded: ${of(about, "part")}`,
  study_landmarks_changed: (about) => `Landmarks of ${quoted(about, "study")} changed`,
  project_deleted: (about, by) =>
    by === "system"
      ? `Project ${quoted(about, "project")} deleted at the end of its storage period`
      : `Project ${quoted(about, "project")} deleted`,
  file_removed: (about) => `File ${of(about, "file")} removed from ${quoted(about, "project")}`,
  account_deleted: () => "Account deleted",
  results_downloaded: (about) =>
    `Results of ${quoted(about, "project")} downloaded${about["part"] ? `: ${about["part"]}` : ""}`,
  account_exported: () => "Account data downloaded",
  share_made: (about) =>
    `Share link to ${shared(about)}${note(about)} created, valid until ${longDate(about["until"])}`,
  share_opened: (about) => `Share link to ${shared(about)}${note(about)} opened for the first time`,
  share_revoked: (about) => `Share link to ${shared(about)}${note(about)} revoked`,
  share_ended: (about) =>
    `Share link to ${shared(about)}${note(about)} ended: ${about["study"] ? "a sample of the study" : "the project's sample"} was replaced`,
  annotations_changed: (about) =>
    `Annotations of ${quoted(about, "project")}, which share links show, changed`,
  operator_acted: (about) => `The operator of this installation ${of(about, "action")}`,
};

/** What a share link opens. */
function shared(about: About): string {
  return about["study"] ? `study ${quoted(about, "study")}` : quoted(about, "project");
}

function article(means: string): string {
  if (means === "password") return "the password";
  return `${/^[aeiou]/.test(means) ? "an" : "a"} ${means}`;
}

/** What happened, in words; the code of what a newer server knows and these pages do not. */
export function activitySentence(what: string, by: string, about: About): string {
  const sentence = (SENTENCES as Record<string, (typeof SENTENCES)[Activity] | undefined>)[what];
  return sentence?.(about, by) ?? what.replaceAll("_", " ");
}
