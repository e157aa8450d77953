import type { ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

export interface CardProps {
  /** Heading of the card (h2). */
  title?: ReactNode;
  /** One line under the heading. */
  description?: ReactNode;
  /** Buttons at the right of the heading. */
  actions?: ReactNode;
  /** Without inner padding, for tables. */
  flush?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A bordered surface that groups one topic. */
export function Card({ title, description, actions, flush, className, children }: CardProps) {
  return (
    <section
      className={joinClasses(
        "min-w-0 rounded-card border border-line bg-card",
        flush && "overflow-hidden",
        className,
      )}
    >
      {(title || actions) && (
        <header
          className={joinClasses(
            "flex flex-wrap items-center justify-between gap-3 pt-5",
            // Tables begin further left on narrow screens.
            flush ? "px-4 pb-4 md:px-6" : "px-6",
          )}
        >
          <div className="min-w-0">
            {title && <h2 className="text-base">{title}</h2>}
            {description && <p className="mt-0.5 text-ink-3">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? undefined : title ? "px-6 pt-4 pb-6" : "p-6"}>{children}</div>
    </section>
  );
}
