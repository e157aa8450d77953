import type { ReactNode } from "react";
import { joinClasses } from "../../components/join-classes.ts";

/** One band of a marketing page, 1200 px wide inside, with a heading. */
export function Section({
  title,
  text,
  tinted = false,
  children,
}: {
  title?: string;
  text?: string;
  tinted?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={joinClasses(tinted && "border-y border-line bg-card")}>
      <div className="mx-auto max-w-[1200px] px-4 py-16 sm:px-6 lg:py-24">
        {title && <h2 className="max-w-2xl text-[2rem] leading-10">{title}</h2>}
        {text && <p className="mt-3 max-w-2xl text-[1.0625rem] leading-7 text-ink-2">{text}</p>}
        <div className={title ? "mt-10" : undefined}>{children}</div>
      </div>
    </section>
  );
}
