import type { LiveExampleState } from "@stipple/contract";
import { askLiveExample, lookLiveExample } from "@stipple/contract/routes/live-example";
import { ArrowRight } from "lucide-react";
import { useEffect, useState } from "react";
import { api } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { durationText } from "../../../components/duration-text.ts";
import { joinClasses } from "../../../components/join-classes.ts";
import { StatusMessage } from "../../../components/status-message.tsx";
import { HOME_TEXTS as TEXTS } from "../../../texts/home.ts";

/** How often a visitor who waits for the example asks whether it is ready. */
const LOOK_MS = 3000;

type Waiting = "no" | "asking" | { secondsLeft: number | null } | "failed" | "unavailable";

/**
 * Opens the sample dataset's results in the interactive view, in this tab and without an account. The first visitor of
 * an installation waits for them to be made. Shows nothing where the operator has turned the example off.
 */
export function useLiveExample() {
  const [offer, setOffer] = useState<"unknown" | "on" | "off">("unknown");
  const [waiting, setWaiting] = useState<Waiting>("no");
  const isPreparing = typeof waiting === "object";

  function follow(answer: LiveExampleState): void {
    if (answer.state === "preparing") return setWaiting({ secondsLeft: answer.seconds_left });
    if (answer.state !== "ready") return setWaiting("unavailable");
    // Back leads to a page that waits for nothing.
    setWaiting("no");
    window.location.assign(answer.url);
  }

  useEffect(() => {
    const leaving = new AbortController();
    api(lookLiveExample, { signal: leaving.signal }).then(
      ({ state }) => setOffer(state === "off" ? "off" : "on"),
      () => !leaving.signal.aborted && setOffer("off"),
    );
    return () => leaving.abort();
  }, []);

  useEffect(() => {
    if (!isPreparing) return;
    const leaving = new AbortController();
    const timer = setInterval(() => {
      // A look that fails is repeated.
      api(lookLiveExample, { signal: leaving.signal }).then(follow, () => undefined);
    }, LOOK_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [isPreparing]);

  const open = (): void => {
    setWaiting("asking");
    api(askLiveExample).then(follow, () => setWaiting("failed"));
  };
  return { offer, waiting, open };
}

/** The button; keeps its place until it is known whether there is an example. */
export function LiveExampleButton({ example }: { example: ReturnType<typeof useLiveExample> }) {
  const { offer, waiting, open } = example;
  if (offer === "off") return null;
  return (
    <Button
      variant="ghost"
      size="lg"
      busy={waiting === "asking" || typeof waiting === "object"}
      icon={<ArrowRight aria-hidden className="size-4" />}
      className={joinClasses("max-sm:px-0", offer === "unknown" && "invisible")}
      onClick={open}
    >
      {TEXTS.liveExample}
    </Button>
  );
}

/** How long the visitor waits, or why nothing opens. */
export function LiveExampleMessage({ example }: { example: ReturnType<typeof useLiveExample> }) {
  return <StatusMessage className="mt-4 max-w-xl" text={messageOf(example.waiting)} />;
}

function messageOf(waiting: Waiting): string | null {
  if (typeof waiting === "object") {
    const { secondsLeft } = waiting;
    return TEXTS.preparingExample(secondsLeft === null ? "a minute" : durationText(secondsLeft));
  }
  if (waiting === "failed") return TEXTS.exampleFailed;
  return waiting === "unavailable" ? TEXTS.exampleUnavailable : null;
}
