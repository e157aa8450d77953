import {
  AFTER_PAYMENT_RETURN_MS,
  logout,
  SUBSCRIPTION_REFRESH_MS,
  verifySubscription,
  type Subscription,
} from "@stipple/contract";
import { toast } from "../components/toast-store.ts";
import { SESSION_TEXTS } from "./session-texts.ts";
import { api } from "./api.ts";
import { seekLeadership } from "./polling/leadership.ts";
import { onOtherTabs, postToOtherTabs } from "./polling/other-tabs.ts";
import { noteServerTime } from "./server-clock.ts";
import { checkSubscription, type CheckOutcome } from "./session-check.ts";
import { noteSessionEnd, rememberPlace } from "./resume.ts";
import { leaveForHome } from "./leave-for-home.ts";
import { BLANK_USER, endSession, getSession, setSession } from "./session.ts";
import { storedToken } from "./token.ts";

/** The check that is under way, and the token it is about. */
let running: { token: string; outcome: Promise<CheckOutcome | null> } | null = null;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One check of a token at a time; null when the session changed while waiting. A good answer becomes the session. */
function check(): Promise<CheckOutcome | null> {
  const token = storedToken();
  if (token === null) return Promise.resolve(null);
  if (running?.token === token) return running.outcome;
  const outcome = checkOf(token).finally(() => {
    if (running?.outcome === outcome) running = null;
  });
  running = { token, outcome };
  return outcome;
}

async function checkOf(token: string): Promise<CheckOutcome | null> {
  const outcome = await checkSubscription(() => api(verifySubscription), pause);
  if (storedToken() !== token) return null;
  if (outcome.kind === "ok") {
    const user = whole(outcome.user);
    noteServerTime(user.server_time);
    setSession({ state: "in", user, verified: true });
    postToOtherTabs(VERIFY, user);
  }
  return outcome;
}

/** Missing or unknown fields default to those of a trial user. */
function whole(answer: Partial<Subscription>): Subscription {
  const { id, email } = getSession().user;
  const known = Object.entries(answer).filter(([, value]) => value !== null && value !== undefined);
  return { ...BLANK_USER, id, email, ...Object.fromEntries(known) };
}

const VERIFY = "verify-subscription";
let leads = false;
let lastCheck = Date.now();
let next: ReturnType<typeof setTimeout> | undefined;

/** Plans the next check, 30 s after the last one of any tab; only the leading tab makes it. */
function plan(afterMs: number): void {
  clearTimeout(next);
  next = setTimeout(() => {
    lastCheck = Date.now();
    plan(SUBSCRIPTION_REFRESH_MS);
    if (leads && getSession().state === "in") void refreshSession();
  }, afterMs);
}

plan(SUBSCRIPTION_REFRESH_MS);
seekLeadership(`stipple.ask.${VERIFY}`, (now) => {
  leads = now;
  // A new leader continues counting where the last tab stopped.
  plan(Math.max(0, SUBSCRIPTION_REFRESH_MS - (Date.now() - lastCheck)));
});
onOtherTabs((key, answer) => {
  if (key !== VERIFY) return;
  lastCheck = Date.now();
  plan(SUBSCRIPTION_REFRESH_MS);
  const user = answer as Subscription;
  noteServerTime(user.server_time);
  setSession({ state: "in", user, verified: true });
});

// On the way back, browsers may restore a page as it was left: waiting to be left, or for a session that has ended.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) window.location.reload();
});

/** At load any failure signs out; after a payment the plan is checked again two seconds later. */
export async function checkAtLoad(): Promise<void> {
  const paid = new URLSearchParams(window.location.search).get("stripe_success") === "true";
  const outcome = await check();
  if (outcome && outcome.kind !== "ok") {
    rememberHere();
    noteSessionEnd(
      outcome.kind === "refused"
        ? { text: SESSION_TEXTS.ended, failed: false }
        : { text: SESSION_TEXTS.verifyFailed, failed: true },
    );
    // The page after a payment is public, so it does not lead to the login, where the reason is given.
    if (paid) toast(SESSION_TEXTS.updateFailed, { failed: true });
    return endSession();
  }
  if (paid) {
    await pause(AFTER_PAYMENT_RETURN_MS);
    await checkAfterPayment();
  }
}

/**
 * A silent refresh; a refusal or a failure in spite of retries signs out. Nothing is checked while offline, and nothing
 * follows from a check during which the network was lost.
 */
export async function refreshSession(): Promise<void> {
  if (!navigator.onLine) return;
  const outcome = await check();
  if (!outcome || outcome.kind === "ok") return;
  if (outcome.kind === "failed" && !navigator.onLine) return;
  rememberHere();
  if (outcome.kind === "refused") noteSessionEnd({ text: SESSION_TEXTS.ended, failed: false });
  endSession();
  toast(SESSION_TEXTS.verifyFailed, { failed: true });
}

function rememberHere(): void {
  const { pathname, search } = window.location;
  rememberPlace(getSession().user.id, { pathname, search, state: window.history.state as unknown });
}

async function checkAfterPayment(): Promise<void> {
  if (storedToken() === null) return;
  const outcome = await check();
  if (!outcome) return;
  if (outcome.kind === "ok") return toast(SESSION_TEXTS.updated, { ok: true });
  if (outcome.kind === "refused") endSession();
  else setSession({ ...getSession(), user: BLANK_USER, verified: false });
  toast(SESSION_TEXTS.updateFailed, { failed: true });
}

/**
 * Signs out: asks first if something would be lost, revokes the token (waiting at most one second for the server), and
 * leaves.
 */
export async function revoke(): Promise<void> {
  if (!mayLeave()) return;
  const told = api(logout, { signal: AbortSignal.timeout(1000) });
  await leaveForHome(told.catch(() => undefined));
}

/**
 * Asks before the session ends what the browser would ask only when leaving the page, so that it does not ask again.
 */
function mayLeave(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  if (window.dispatchEvent(leaving)) return true;
  if (!window.confirm(SESSION_TEXTS.leaveUploads)) return false;
  window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true);
  return true;
}
