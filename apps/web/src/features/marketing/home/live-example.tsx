import type { askLiveExample, LiveExampleState, lookLiveExample } from "@stipple/contract";
import { ArrowRight } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { HOME_TEXTS as TEXTS } from "./texts.ts";

const ADDRESS: `/api${(typeof lookLiveExample | typeof askLiveExample)["path"]}` =
  "/api/live_example";
/** How often a visitor who waits for the example asks whether it is ready. */
const POLL_MS = 3000;

/** Not through `api`, which a visitor's first page would load for this alone. */
async function call(method: "GET" | "POST", signal?: AbortSignal): Promise<LiveExampleState> {
  const response = await fetch(ADDRESS, { method, signal: signal ?? null });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as LiveExampleState;
}

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
    call("GET", leaving.signal).then(
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
      call("GET", leaving.signal).then(follow, () => undefined);
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [isPreparing]);

  const open = (): void => {
    setWaiting("asking");
    call("POST").then(follow, () => setWaiting("failed"));
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
      icon={ArrowRight}
      className={joinClasses("max-sm:px-0", offer === "unknown" && "invisible")}
      onClick={open}
    >
      {TEXTS.liveExample}
    </Button>
  );
}

/** How long the visitor waits, or why nothing opens. */
export function LiveExampleMessage({ example }: { example: ReturnType<typeof useLiveExample> }) {
  const text = messageOf(example.waiting);
  const color = example.waiting === "failed" ? "text-bad" : "text-ink-2";
  return (
    // Stays in the document while empty, so that its first text is announced.
    <p role="status" className={joinClasses("max-w-xl", text && "mt-4", color)}>
      {text}
    </p>
  );
}

function messageOf(waiting: Waiting): string | null {
  if (typeof waiting === "object") return TEXTS.preparingExample(waiting.secondsLeft);
  if (waiting === "failed") return TEXTS.exampleFailed;
  return waiting === "unavailable" ? TEXTS.exampleUnavailable : null;
}
