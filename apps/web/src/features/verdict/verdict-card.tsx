import type { Verdict } from "@stipple/contract/verdict";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { verdictTexts } from "../../texts/verdict.ts";
import { GradePill } from "./grade-pill.tsx";
import { VerdictReasons } from "./verdict-reasons.tsx";

/** At least as tall as its placeholder, so that nothing moves. */
const VERDICT_HEIGHT = "min-h-44 max-sm:min-h-64";

/** Placeholder until the card is loaded. */
export function VerdictSkeleton() {
  return <Skeleton className={VERDICT_HEIGHT} />;
}

/**
 * How reliable the results are: the grade in a sentence, what to do next, and the reasons, open where the grade is
 * poor.
 */
export function VerdictCard({ verdict }: { verdict: Verdict }) {
  return (
    <Card
      className={VERDICT_HEIGHT}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {verdictTexts.title}
          <GradePill grade={verdict.grade} />
        </span>
      }
    >
      <p className="text-base font-medium">{verdict.sentence}</p>
      <p className="mt-1 text-ink-2">{verdict.next ?? verdictTexts.next}</p>
      <details open={verdict.grade === "poor"} className="mt-4">
        <summary className="cursor-pointer font-medium text-primary">
          {verdictTexts.details}
        </summary>
        <div className="mt-2">
          <VerdictReasons verdict={verdict} />
        </div>
      </details>
    </Card>
  );
}
