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
}
