import type { ReactNode } from "react";

/** What a list shows while it has nothing: a drawing, a sentence, and what to do. */
export function EmptyState({
  title,
  text,
  actions,
}: {
  title: string;
  text?: string;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <svg aria-hidden viewBox="0 0 96 96" className="size-24 text-line-input" fill="none">
        <circle cx="48" cy="48" r="40" stroke="currentColor" strokeWidth="1.5" opacity=".5" />
        <g stroke="currentColor" strokeWidth="1.5">
          <circle cx="34" cy="36" r="8" />
          <circle cx="56" cy="32" r="5" />
          <circle cx="66" cy="48" r="7" />
          <circle cx="46" cy="54" r="6" />
          <circle cx="32" cy="58" r="4" />
          <circle cx="58" cy="66" r="6" />
        </g>
        <g className="text-primary" fill="currentColor">
          <circle cx="34" cy="36" r="2.5" />
          <circle cx="56" cy="32" r="1.8" />
          <circle cx="66" cy="48" r="2.3" />
          <circle cx="46" cy="54" r="2" />
          <circle cx="32" cy="58" r="1.5" />
          <circle cx="58" cy="66" r="2" />
        </g>
      </svg>
      <p className="mt-4 text-base font-medium">{title}</p>
      {text && <p className="mt-1 max-w-prose text-ink-2">{text}</p>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
