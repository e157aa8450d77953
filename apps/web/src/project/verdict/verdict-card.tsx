import { mainReason, type Verdict } from "@stipple/contract/verdict";
import { Card } from "../../components/card.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { verdictTexts } from "./texts.ts";
import { GradePill } from "./grade-pill.tsx";
import { Remedy, type Ways } from "./remedy.tsx";
import { VerdictReasons } from "./verdict-reasons.tsx";

/** At least as tall as its placeholder, so that nothing moves. */
export const VERDICT_HEIGHT = "min-h-52 max-sm:min-h-72";

/**
 * How reliable the results are: the grade in a sentence with its main reason, what to do next, and all reasons, open
 * where the grade is poor.
 */
export function VerdictCard({ verdict, ways }: { verdict: Verdict; ways: Ways }) {
  const { grade, sentence, next } = verdict;
  const main = mainReason(verdict);
  return (
    <Card
      className={VERDICT_HEIGHT}
      title={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {verdictTexts.title}
          <GradePill grade={grade} />
          <HelpLink page="verdict" />
        </span>
      }
    >
      <p className="text-base font-medium">{sentence}</p>
      {main && <p className="mt-1 text-ink-2">{main.sentence}</p>}
      <p className="mt-1">
        {next === null ? (
          <span className="text-ink-2">{verdictTexts.next}</span>
        ) : (
          <Remedy text={next} action={main?.action ?? null} ways={ways} />
        )}
      </p>
      <details open={grade === "poor"} className="mt-4">
        <summary className="cursor-pointer font-medium text-primary">
          {verdictTexts.details}
        </summary>
        <div className="mt-2">
          <VerdictReasons verdict={verdict} ways={ways} />
        </div>
      </details>
    </Card>
  );
}
