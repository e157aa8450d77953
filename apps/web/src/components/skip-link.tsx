import type { ReactNode } from "react";

/** The first stop of the Tab key: leads past the navigation to the element with the id `to`. Out of sight until then. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // Without a new address: the view's own holds what is shown.
        event.preventDefault();
        const target = document.getElementById(to);
        target?.focus();
        target?.scrollIntoView();
      }}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-primary px-4 py-2 font-medium text-primary-ink focus:translate-y-0"
    >
      {children}
    </a>
  );
}
