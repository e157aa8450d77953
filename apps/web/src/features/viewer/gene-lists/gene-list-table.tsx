import type { ReactNode } from "react";

/** A table of genes that scrolls sideways: `headings` are cells of its first row, `none` says that there are no rows. */
export function GeneListTable({
  texts,
  headings,
  isEmpty,
  children,
}: {
  texts: { region: string; caption: string; none: string };
  headings: ReactNode;
  isEmpty: boolean;
  children: ReactNode;
}) {
  return (
    <div
      role="region"
      aria-label={texts.region}
      tabIndex={0}
      className="overflow-x-auto rounded-control border border-line"
    >
      <table className="w-full border-collapse text-[0.8125rem] tabular-nums">
        <caption className="sr-only">{texts.caption}</caption>
        <thead>
          <tr className="bg-raised">{headings}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {isEmpty && <p className="p-3 text-[0.8125rem] text-ink-3">{texts.none}</p>}
    </div>
  );
}
