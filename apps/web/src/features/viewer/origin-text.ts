import { longDate } from "../../app/long-date.ts";
import { OPTION_NAMES } from "../../project/option-names.ts";
import type { OpenedView } from "../../project/view/view-server.ts";

/** What was analyzed, how, and when: "Visium · H&E · Basic · November 26, 2026". */
export function originText({
  analysis: { platform, staining, analysis_type, resolution },
  analyzed_at,
}: Pick<OpenedView, "analysis" | "analyzed_at">): string {
  return [
    platform,
    staining === "if" ? OPTION_NAMES.if : OPTION_NAMES.hAndE,
    OPTION_NAMES[analysis_type],
    ...(resolution === null ? [] : [`${resolution} µm`]),
    ...(analyzed_at === null ? [] : [longDate(analyzed_at)]),
  ].join(" · ");
}
