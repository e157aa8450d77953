import type { ReactNode } from "react";

/** The first tab stop: skips the navigation and focuses the element with the id `to`. Hidden until focused. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // Do not change the URL: in the interactive view, it holds what is shown.
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
