import type { ReactNode } from "react";
import { StatusPill } from "../../components/status-pill.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";

/** A part of a tab, headed by where its figures come from: quoted from the study, or measured by us. */
export function Origin({ kind, children }: { kind: "published" | "ours"; children: ReactNode }) {
  const { title, text, tag } = TEXTS.origins[kind];
  return (
    <section className="not-first:mt-14">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-2xl">{title}</h2>
        <StatusPill tone={kind === "published" ? "neutral" : "info"}>{tag}</StatusPill>
      </div>
      <p className="mt-2 max-w-3xl text-[0.9375rem] leading-6 text-ink-2">{text}</p>
      <div className="mt-6 grid gap-4">{children}</div>
    </section>
  );
}
