import type { ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

/** A page inside the shell: heading, one sentence, actions, content at 1200 px (or 1440 when `wide`). */
export function Page({
  title,
  text,
  actions,
  wide = false,
  children,
}: {
  title: string;
  text?: string;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={joinClasses(
        "mx-auto w-full px-4 py-8 sm:px-6 sm:py-10",
        wide ? "max-w-[1440px]" : "max-w-[1200px]",
      )}
    >
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 className="text-2xl">{title}</h1>
          {text && <p className="mt-1 max-w-2xl text-ink-2">{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
