import type { ReactNode } from "react";

/** A notice over the drawing about something missing from it. */
export function StageRemark({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="rounded-control border border-line bg-card/95 px-2.5 py-1.5 text-xs text-ink-2"
    >
      {children}
    </p>
  );
}
