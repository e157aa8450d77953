import { ApiError } from "../../../app/api.ts";

/** Why a view that was open, or was about to be, cannot be shown anymore. */
export type ViewEnd = "expired" | "revoked" | "trialEnded" | "deleted" | "session";

const BY_CODE: Readonly<Record<string, ViewEnd>> = {
  visualization_expired: "expired",
  share_link_revoked: "revoked",
  trial_ended: "trialEnded",
  project_not_found: "deleted",
};

/** What a failed request says of the view as a whole; null when it is about that request only. */
export function endOfError(error: unknown): ViewEnd | null {
  return error instanceof ApiError ? (BY_CODE[error.code] ?? null) : null;
}

/**
 * Tells the page that opened this one when the session has ended: it then has the person log in again, which no other
 * end calls for. Only our own pages are told.
 */
export function tellOpener(end: ViewEnd | null): void {
  if (end !== "session") return;
  const opener = window.opener as Window | null;
  opener?.postMessage({ type: "session_expired" }, window.location.origin);
}

/**
 * The same object, whose functions tell of failures: whichever request is the first to be refused, the page hears of it.
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
