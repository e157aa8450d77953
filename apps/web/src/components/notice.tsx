import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";
import { TONE_CLASSES } from "./status-pill.tsx";

const ICONS = { ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert, info: Info };

/** A tinted box with an icon: something to know before going on. `actions` are links or buttons at its end. */
export function Notice({
  tone,
  title,
  children,
  actions,
  className,
}: {
  tone: "ok" | "warn" | "bad" | "info";
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  const Icon = ICONS[tone];
  return (
    <div
      role={tone === "bad" || tone === "warn" ? "alert" : "status"}
      className={joinClasses(
        "flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card px-4 py-3",
        TONE_CLASSES[tone],
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 basis-52 text-ink">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
