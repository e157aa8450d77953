import { joinClasses } from "../../components/join-classes.ts";
import { workflowTexts } from "../../texts/analysis.ts";

/** How long a run is expected to go on; nothing if that is not known. */
export function TimeLeft({
  seconds,
  className,
}: {
  seconds: number | null | undefined;
  className: string;
}) {
  if (seconds === null || seconds === undefined) return null;
  return (
    <p className={joinClasses("text-[0.8125rem] text-ink-2", className)}>
      {workflowTexts.timeLeft(seconds)}
    </p>
  );
}
