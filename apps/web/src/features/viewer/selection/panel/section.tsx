import type { ReactNode } from "react";

/** A panel section with a heading. `aside` goes to the right of the heading. */
export function PanelSection({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h3 className="text-[0.8125rem] font-semibold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** What failed, in a sentence that is read out at once. */
export function PanelProblem({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="text-[0.8125rem] text-bad">
      {text}
    </p>
  );
}
