import type { ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

export type Tone = "ok" | "warn" | "bad" | "info" | "neutral";

export const TONE_CLASSES: Record<Tone, string> = {
  ok: "bg-ok-tint text-ok",
  warn: "bg-warn-tint text-warn",
  bad: "bg-bad-tint text-bad",
  info: "bg-info-tint text-info",
  neutral: "bg-raised text-ink-2",
};

/** A dot and a word: color is never the only cue. `pulse` for something in progress. */
export function StatusPill({
  tone = "neutral",
  pulse = false,
  children,
}: {
  tone?: Tone;
  pulse?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={joinClasses(
        "inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap",
        TONE_CLASSES[tone],
      )}
    >
      <span
        aria-hidden
        className={joinClasses("size-1.5 rounded-full bg-current", pulse && "animate-pulse")}
      />
      {children}
    </span>
  );
}
