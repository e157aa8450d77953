import { ApiError } from "../../../app/api.ts";

/** Why a view that was open or about to open can no longer be shown. */
export type ViewEnd =
  "expired" | "revoked" | "trialEnded" | "planEnded" | "deleted" | "changed" | "session";

const BY_CODE: Readonly<Record<string, ViewEnd>> = {
  visualization_expired: "expired",
  share_link_revoked: "revoked",
  trial_ended: "trialEnded",
  subscription_expired: "planEnded",
  project_not_found: "deleted",
  results_changed: "changed",
};

/** What a failed request means for the view as a whole; null if it concerns only that request. */
export function endOfError(error: unknown): ViewEnd | null {
  return error instanceof ApiError ? (BY_CODE[error.code] ?? null) : null;
}

/**
 * Notifies the page that opened this one when the session has ended, so that it asks the user to sign in again; no
 * other end requires that. Only same-origin pages are notified.
 */
export function notifyOpener(end: ViewEnd | null): void {
  if (end !== "session") return;
  const opener = window.opener as Window | null;
  opener?.postMessage({ type: "session_expired" }, window.location.origin);
}

/**
 * Wraps an object so that its functions report failures: whichever request is refused first, the page learns of it.
 */
export function watched<Source extends object>(
  source: Source,
  onError: (error: unknown) => void,
): Source {
  const functions = Object.entries(source) as [string, (...given: unknown[]) => unknown][];
  return Object.fromEntries(
    functions.map(([name, ask]) => [
      name,
      (...given: unknown[]) => {
        const answer = ask(...given);
        if (answer instanceof Promise) answer.catch(onError);
        return answer;
      },
    ]),
  ) as Source;
}
