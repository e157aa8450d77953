import type { ReactNode } from "react";

/** A sentence over the drawing about something that is missing in it. */
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
