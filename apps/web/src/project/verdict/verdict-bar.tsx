import type { Verdict } from "@stipple/contract/verdict";
import { GRADE_WORDS, mainReason } from "@stipple/contract/verdict";
import { X } from "lucide-react";
import { useState } from "react";
import { lazyPart } from "../../app/load-code.ts";
import { Button } from "../../components/button.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { LazyDialog } from "../../components/lazy-dialog.tsx";
import { LazyBoundary } from "../../components/lazy-boundary.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusPill, TONE_CLASSES } from "../../components/status-pill.tsx";
import { verdictTexts } from "./texts.ts";
import { GRADE_TONES } from "./grade-pill.tsx";

/** With the links of the work pages, which the view needs only once someone asks why. */
const VerdictReasons = lazyPart(() => import("./verdict-reasons.tsx"), "VerdictReasons");

/** The verdict above the view. When hidden, only its pill remains, next to the project's name (VerdictPill). */
export function VerdictBar({ verdict, onHide }: { verdict: Verdict; onHide: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <div
      role="status"
      className={joinClasses(
        "@container border-b border-line text-[0.8125rem] low:hidden",
        TONE_CLASSES[GRADE_TONES[verdict.grade]],
      )}
    >
      <div className="flex items-center gap-x-3 py-1.5 pr-2 pl-4">
        <strong className="font-semibold whitespace-nowrap @max-2xl:sr-only">
          {verdictTexts.pill(GRADE_WORDS[verdict.grade])}
        </strong>
        <span className="min-w-0 flex-1 text-ink @max-2xl:line-clamp-3">
          {verdict.sentence}
          {verdict.grade !== "good" && ` ${mainReason(verdict)?.sentence ?? ""}`}
        </span>
        <Button size="sm" className="@max-[22rem]:hidden" onClick={() => setOpen(true)}>
          {verdictTexts.details}
        </Button>
        <HelpLink page="verdict" className="@max-2xl:hidden" />
        <IconButton icon={X} label={verdictTexts.dismiss} onClick={onHide} />
      </div>
      <VerdictDialog verdict={verdict} open={open} onClose={() => setOpen(false)} />
    </div>
  );
}

/** The verdict in two words, with its reason as a tooltip; it opens all reasons. */
export function VerdictPill({ verdict }: { verdict: Verdict }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={verdictTexts.show(GRADE_WORDS[verdict.grade])}
        title={verdict.sentence}
        onClick={() => setOpen(true)}
        className="min-h-6 rounded-full hover:underline"
      >
        <StatusPill tone={GRADE_TONES[verdict.grade]}>
          {verdictTexts.pill(GRADE_WORDS[verdict.grade])}
        </StatusPill>
      </button>
      <VerdictDialog verdict={verdict} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

function VerdictDialog({
  verdict,
  open,
  onClose,
}: {
  verdict: Verdict;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <LazyDialog
      wide
      open={open}
      onClose={onClose}
      title={verdictTexts.title}
      description={verdict.sentence}
    >
      <LazyBoundary waiting={<Skeleton className="h-40" />}>
        <VerdictReasons verdict={verdict} />
      </LazyBoundary>
    </LazyDialog>
  );
}
