import { TOPIC_WORDS, type Verdict } from "@stipple/contract/verdict";
import { GradePill } from "./grade-pill.tsx";
import { Remedy, type Ways } from "./remedy.tsx";

/** The reasons for the grade, one line per topic: what was found, and what to do about it. */
export function VerdictReasons({ verdict, ways }: { verdict: Verdict; ways?: Ways }) {
  return (
    <dl className="flex flex-col">
      {verdict.reasons.map(({ topic, grade, sentence, next, action }) => (
        <div
          key={topic}
          className="grid gap-x-4 gap-y-1 border-t border-line py-3 first:border-0 sm:grid-cols-[11rem_minmax(0,1fr)]"
        >
          <dt className="flex items-start justify-between gap-3 font-medium">
            {TOPIC_WORDS[topic]}
            <GradePill grade={grade} />
          </dt>
          <dd>
            <p>{sentence}</p>
            {next && <Remedy text={next} action={action} ways={ways} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
