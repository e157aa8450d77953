import type { HelpPageName } from "@stipple/contract/help-pages";
import { CircleQuestionMark } from "lucide-react";
import { HELP_PAGES, helpTexts, type GlossarySection } from "./help-texts.ts";
import { joinClasses } from "./join-classes.ts";

/** A "?" that opens a help page, or a section of it, in a new tab: the current page may be uploading or computing. */
export function HelpLink({
  page,
  section,
  className,
}: {
  page: HelpPageName;
  /** Only of the glossary. */
  section?: GlossarySection | undefined;
  className?: string;
}) {
  const label = helpTexts.about(HELP_PAGES[page]);
  return (
    <a
      href={`/help/${page}${section ? `#${section}` : ""}`}
      target="_blank"
      rel="noopener"
      aria-label={label}
      title={label}
      className={joinClasses(
        "inline-grid size-6 shrink-0 place-items-center rounded-full align-middle text-ink-3 hover:text-primary",
        className,
      )}
    >
      <CircleQuestionMark aria-hidden className="size-4" />
    </a>
  );
}
