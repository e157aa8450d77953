/** A place in the app: an address with its navigation state. */
export interface Place {
  pathname: string;
  search: string;
  state: unknown;
}

let remembered: { userId: string; place: Place } | null = null;

/**
 * Remembers where a user's session ended on its own, so that the next login returns there instead of to the dashboard.
 */
export function rememberPlace(userId: string, { pathname, search, state }: Place): void {
  if (pathname !== "/login") remembered = { userId, place: { pathname, search, state } };
}

/** Where this person's session ended, if it did end by itself. */
export function rememberedPlace(userId: string): Place | null {
  return remembered?.userId === userId ? remembered.place : null;
}

/** Used once: a later login leads to the dashboard. */
export function forgetPlace(): void {
  remembered = null;
  ended = null;
}

/** A message of the login page. */
interface SessionEnd {
  text: string;
  failed: boolean;
}

let ended: SessionEnd | null = null;

/** Notes, for the login page, why a session ended that the user did not end here. */
export function noteSessionEnd(why: SessionEnd | null): void {
  ended = why;
}

/** Why the last session ended by itself; null if it did not. */
export function sessionEnd(): SessionEnd | null {
  return ended;
}
