import { TRIAL } from "@stipple/contract/business/trial";
import type { Subscription } from "@stipple/contract";
import { useSyncExternalStore } from "react";
import { loadCode } from "./load-code.ts";
import { inStorage, keepStorageFor } from "./personal-storage.ts";
import { decodeToken, storedToken, TOKEN_KEY } from "./token.ts";

/** `unknown`: a token is stored and being checked; nothing may be concluded yet. */
export type SessionState = "unknown" | "in" | "out";

export interface Session {
  state: SessionState;
  user: Subscription;
  /** Whether `user` holds the server's figures, not only id and email. */
  verified: boolean;
}

/** A user about whom nothing is known: tier and status default to trial, the limit to 1. */
export const BLANK_USER: Subscription = {
  id: "",
  email: "",
  analyses_count: 0,
  analyses_limit: 1,
  total_spots: 0,
  is_one_time: false,
  single_analyses_purchased: 0,
  data_retention_end_date: null,
  subscription_end_date: null,
  subscription_status: "trial",
  subscription_tier: TRIAL.tier,
  stripe_subscription_id: null,
  unpaid_subscription: null,
  scheduled_downgrade: null,
  server_time: "",
};

const SIGNED_OUT: Session = { state: "out", user: BLANK_USER, verified: false };

let session: Session = SIGNED_OUT;
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

export function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session, kept current. `state` is 'unknown' | 'in' | 'out'. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** Reads the stored token and starts checking it; a token that cannot be decoded is removed. */
export function lookForToken(): void {
  const token = storedToken();
  if (token === null) return setSession(SIGNED_OUT);
  const claims = decodeToken(token);
  if (!claims) return endSession();
  keepStorageFor(claims.sub);
  setSession({
    state: "unknown",
    user: { ...BLANK_USER, id: claims.sub, email: claims.email },
    verified: false,
  });
  void keeper().then(({ checkAtLoad }) => checkAtLoad());
}

/** Loaded only when there is a token: a visitor's landing page needs none of it. */
const keeper = () => loadCode(() => import("./session-keeper.ts"));

/** Starts the session of this page and follows sign-in and sign-out in other tabs. Called once. */
export function startSession(): void {
  lookForToken();
  window.addEventListener("storage", (event) => {
    if (event.key === TOKEN_KEY || event.key === null) lookForToken();
  });
}

/** Takes a fresh login: stores the token, shows the person as signed in, and has the plan checked. */
export function signIn(token: string, person: { id: string; email: string }): void {
  localStorage.setItem(TOKEN_KEY, token);
  keepStorageFor(person.id);
  setSession({ state: "in", user: { ...BLANK_USER, ...person }, verified: false });
  void keeper().then(({ refreshSession }) => refreshSession());
}

/** Asks the server for the plan now, e.g. after it was changed. */
export async function refreshSession(): Promise<void> {
  await (await keeper()).refreshSession();
}

/** Ends the session in this browser, when it has ended by itself: token and user data. */
export function endSession(): void {
  inStorage(() => localStorage.removeItem(TOKEN_KEY));
  setSession(SIGNED_OUT);
}

/** Sign Out: revokes the token, clears everything, then leaves for the public home site. */
export function signOut(): void {
  void keeper().then(({ revoke }) => revoke());
}
