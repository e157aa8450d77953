import type { AnalysisOptions } from "@stipple/contract/analysis-options";
import { longDate } from "../app/long-date.ts";
import { RESULT_TEXTS } from "./texts.ts";
import { configurationText } from "./project-facts.ts";

/** What a page is about: "Visium · H&E · Advanced · Finished November 26, 2026"; empty parts are left out. */
export function ProjectLine({
  options,
  finishedAt,
  className = "text-ink-3",
}: {
  options: AnalysisOptions | undefined;
  finishedAt: string | null | undefined;
  className?: string;
}) {
  const parts = [
    ...(options ? [configurationText(options)] : []),
    ...(finishedAt ? [RESULT_TEXTS.finished(longDate(finishedAt))] : []),
  ];
  return parts.length === 0 ? null : <p className={className}>{parts.join(" · ")}</p>;
}
