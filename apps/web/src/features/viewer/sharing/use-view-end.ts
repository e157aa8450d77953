import { useCallback, useEffect, useMemo, useState } from "react";
import { rememberPlace } from "../../../app/resume.ts";
import { sessionExpired } from "../../../app/session-events.ts";
import { getSession, subscribeSession } from "../../../app/session.ts";
import { viewServer, type OpenedView, type ViewServer } from "../../../project/view/view-server.ts";
import { endOfError, notifyOpener, watched, type ViewEnd } from "./view-end.ts";

/** How often an open view checks whether it may stay open. */
const ASK_AGAIN_MS = 60_000;

/**
 * The server's answers behind a link's token, and why the view ended, once a request has been refused or `finish` called. If the
 * session ended, the page that opened this one is notified.
 */
export function useViewEnd(token: string) {
  const [end, setEnd] = useState<ViewEnd | null>(null);
  const finish = useCallback((next: ViewEnd | null) => setEnd((was) => was ?? next), []);
  const server = useMemo(
    () => watched(viewServer(token), (error) => finish(endOfError(error))),
    [token, finish],
  );
  useEffect(() => notifyOpener(end), [end]);
  return { server, end, finish };
}

/**
 * Watches an open view: checks periodically whether it may stay open, and follows the owner's session in this browser
 * so that signing in again after it ends leads back here.
 */
export function useWatch(
  server: ViewServer,
  opened: OpenedView | undefined,
  finish: (end: ViewEnd) => void,
): void {
  const open = opened !== undefined;
  useEffect(() => {
    if (!open) return;
    const ask = () => {
      if (document.visibilityState !== "visible") return;
      // Request one byte. `watched` handles a refusal; a lost connection does not count as one.
      server.range("manifest.json", 0, 1, new AbortController().signal).catch(() => undefined);
    };
    const timer = setInterval(ask, ASK_AGAIN_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [open, server]);

  // Viewers with a share link or without an account have no session here that could end.
  const followsSession = opened?.read_only === false;
  useEffect(() => {
    if (!followsSession) return;
    const signedIn = () => (getSession().state === "in" ? getSession().user.id : "");
    let person = signedIn();
    const ended = () => {
      const { pathname, search } = window.location;
      const state: unknown = window.history.state;
      rememberPlace(person, { pathname, search, state });
      finish("session");
    };
    const stop = subscribeSession(() => {
      const { state } = getSession();
      if (state === "in") person = signedIn();
      else if (state === "out" && person !== "") ended();
    });
    sessionExpired.addEventListener("expired", ended);
    return () => {
      stop();
      sessionExpired.removeEventListener("expired", ended);
    };
  }, [followsSession, finish]);
}
