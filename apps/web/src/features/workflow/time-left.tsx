import { joinClasses } from "../../components/join-classes.ts";
import { workflowTexts } from "./texts.ts";

/** Estimated time left of a run; nothing if unknown. */
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
