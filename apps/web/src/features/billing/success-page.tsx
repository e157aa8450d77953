import { tierName } from "@stipple/contract/business/plans";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { Redirect } from "wouter";
import { useBrowserLocation } from "../../app/location.tsx";
import { getSession, refreshSession, useSession } from "../../app/session.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { SUCCESS_TEXTS as TEXTS } from "./texts.ts";
import { paymentArrived } from "./awaited-change.ts";

/** Delays between checks of the plan after a payment, ms. The session makes the first check, two seconds after load. */
const LOOKS_MS = [4_000, 4_000, 8_000, 15_000, 30_000] as const;

/** Shown after a payment. Anyone can type this URL, so the page only displays; the server determines what was paid. */
export function SuccessPage() {
  usePageTitle(TEXTS.title);
  const search = new URLSearchParams(useBrowserLocation().search);
  if (search.get("stripe_success") !== "true") return <Redirect to="/" replace />;
  return (
    <div className="grid flex-1 place-items-center px-4 py-16">
      <div className="w-full max-w-lg rounded-card border border-line bg-card p-8 text-center sm:p-12">
        <CircleCheck aria-hidden className="mx-auto size-14 text-ok" strokeWidth={1.5} />
        <h1 className="mt-5 text-2xl">{TEXTS.title}</h1>
        <Activation />
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/dashboard" variant="primary">
            {TEXTS.dashboard}
          </ButtonLink>
          <ButtonLink to="/projects">{TEXTS.projects}</ButtonLink>
        </div>
      </div>
    </div>
  );
}

/** Follows the plan until the payment shows in it. */
function Activation() {
  const { state, user, verified } = useSession();
  const [slow, setSlow] = useState(false);
  const arrived = verified && paymentArrived(user);
  useEffect(() => {
    if (arrived || state !== "in") return;
    let left = [...LOOKS_MS];
    let timer: ReturnType<typeof setTimeout>;
    const next = (): void => {
      const [pause, ...rest] = left;
      if (pause === undefined) return setSlow(true);
      left = rest;
      timer = setTimeout(() => {
        if (getSession().state === "in") void refreshSession();
        next();
      }, pause);
    };
    next();
    return () => clearTimeout(timer);
  }, [arrived, state]);

  if (state === "out") return <p className="mt-2 text-ink-2">{TEXTS.signedOut}</p>;
  return (
    <p role="status" className="mt-2 text-ink-2">
      {arrived ? (
        TEXTS.active(tierName(user.subscription_tier))
      ) : slow ? (
        TEXTS.slow
      ) : (
        <span className="inline-flex items-center gap-2">
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
          {TEXTS.activating}
        </span>
      )}
    </p>
  );
}
