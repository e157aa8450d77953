import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { HelpLink } from "../../components/help-link.tsx";
import { OwnFileRows } from "./own-file-rows.tsx";
import { ownFileTexts as TEXTS } from "./texts.ts";
import type { OwnFiles } from "./use-own-files.ts";

/** The closed section with the files that a user may add to a sample. `children` stand below the rows. */
export function MoreFiles({
  projectId,
  own,
  children,
}: {
  projectId: string;
  own: OwnFiles;
  children?: ReactNode;
}) {
  return (
    <details className="group rounded-card border border-line bg-card">
      <summary className="flex list-none flex-wrap items-center gap-x-2 rounded-card px-6 py-4 font-medium max-sm:px-4">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open:rotate-90"
        />
        {TEXTS.title}
        <span className="text-[0.8125rem] font-normal text-ink-3">{TEXTS.optional}</span>
      </summary>
      <p className="px-6 pb-4 text-[0.8125rem] text-ink-2 max-sm:px-4">
        {TEXTS.hint} <HelpLink page="prepare-files" />
      </p>
      <div className="border-t border-line">
        <OwnFileRows projectId={projectId} own={own} />
        {children}
      </div>
    </details>
  );
}
